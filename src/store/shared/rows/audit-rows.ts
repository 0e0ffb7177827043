import type { AuditEntry, AuditPosition, NewAuditEntry } from '../../accounts/audit.ts'

export interface AuditRow {
  /** Tells the two tables apart: `a` or `s`, and a number of 15 digits. */
  ref: string
  at: number
  account_id: string | null
  key_id: string | null
  actor: string
  action: string
  subject: string
  note: string | null
  old: string | null
  new: string | null
  /** Of a step: a list of fields with their old and new values. */
  changes: string | null
}

export function auditEntryOf(row: AuditRow): AuditEntry {
  return {
    id: row.ref,
    at: row.at,
    by: { accountId: row.account_id, keyId: row.key_id, name: row.actor },
    action: row.action,
    subject: row.subject,
    note: row.note,
    before: row.changes === null ? parsed(row.old) : valuesIn(row.changes, 'old'),
    after: row.changes === null ? parsed(row.new) : valuesIn(row.changes, 'new'),
  }
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json)
}

function valuesIn(changes: string, side: 'old' | 'new'): Record<string, unknown> | null {
  const list = JSON.parse(changes) as { field: string; old: unknown; new: unknown }[]
  return list.length === 0 ? null : Object.fromEntries(list.map((change) => [change.field, change[side]]))
}

/** In the order of the columns. */
export function auditValues({ at, by, action, subject, note, before, after }: NewAuditEntry) {
  const actor = [at, by.accountId, by.keyId, by.name] as const
  return [...actor, action, subject, note, JSON.stringify(before ?? null), JSON.stringify(after ?? null)] as const
}

export const LAST_POSITION: AuditPosition = { at: Number.MAX_SAFE_INTEGER, id: '~' }
