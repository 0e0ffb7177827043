/** An account that did something, with one of its keys or in a session. */
export interface AuditActor {
  readonly accountId: string | null
  readonly keyId: string | null
  readonly name: string
}

export interface NewAuditEntry {
  readonly at: number
  readonly by: AuditActor
  /** A noun and a verb, such as `account.change`, `key.revoke` or `session.create`. */
  readonly action: string
  /** The id of what it was done to. */
  readonly subject: string
  readonly note: string | null
  /** JSON values: the changed fields before and after; null if there were none. */
  readonly before: unknown
  readonly after: unknown
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: string
}

/** Null is no restriction. Times are milliseconds, half-open. */
export interface AuditQuery {
  readonly accountId: string | null
  readonly incidentId: string | null
  readonly from: number | null
  readonly to: number | null
}

/** The last entry of a page. */
export interface AuditPosition {
  readonly at: number
  readonly id: string
}

/**
 * Records actions beside the history of incidents, which the list includes. `Store.withAudit`
 * writes entries, together with what they are about.
 */
export interface Audit {
  /** Newest first. The steps of incidents are entries with the action `incident.<step>`. */
  list(query: AuditQuery, before: AuditPosition | null, limit: number): Promise<AuditEntry[]>
}
