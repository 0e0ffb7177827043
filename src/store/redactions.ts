import type { FieldChange } from '../domain/lifecycle.ts'
import type { RedactionRecord } from '../domain/redaction.ts'
import type { LogEvent } from './events.ts'
import type { IncidentChange, IncidentRecord } from './incidents.ts'

/** Everything that is stored about some incidents and may hold content. */
export interface StoredContent {
  readonly records: readonly IncidentRecord[]
  /** The events of the log that have a document of their own, oldest first. */
  readonly events: readonly StoredDocument[]
  readonly historyEntries: readonly StoredHistoryEntry[]
}

export interface StoredDocument {
  readonly seq: number
  readonly incidentId: string
  readonly document: string
}

export interface StoredHistoryEntry {
  /** The number of the row. */
  readonly row: number
  readonly note: string | null
  readonly changes: readonly FieldChange[]
}

/** One redaction: all of it is written, or nothing. */
export interface RedactionWrite {
  readonly record: RedactionRecord
  /** The content that was read, to be found unchanged. */
  readonly read: StoredContent
  /** The events of `read` and their documents after the redaction. */
  readonly events: readonly StoredDocument[]
  readonly historyEntries: readonly StoredHistoryEntry[]
  /** The incidents whose tips lose the contact. */
  readonly contacts: readonly string[]
  /** The next version of each incident; its event says that it is a redaction. */
  readonly changes: readonly IncidentChange[]
}

/** A redaction whose last traces may still be in the database. */
export interface UnsettledRedaction {
  readonly id: string
  readonly at: number
  readonly erasedAt: number | null
}

/**
 * Takes content out of the database. `apply` rewrites what a query can reach, in one transaction;
 * `clearAnswers` and `erase` remove what is left, and are repeated until they have succeeded.
 */
export interface Redactions {
  /** Returns the reports that were merged into the incident and still are. */
  mergedInto(incidentId: string): Promise<string[]>
  read(incidentIds: readonly string[]): Promise<StoredContent>
  /**
   * Replaces the documents of the log and the contents of the history, saves the next versions,
   * forgets the stored answers to requests that mention the incidents, and records the redaction.
   * Rejects with `StaleVersion`, and writes nothing, if anything was added since `read`. Returns
   * the events.
   */
  apply(write: RedactionWrite, now: number): Promise<LogEvent[]>
  /** Returns the redactions that touched an incident, oldest first. */
  list(incidentId: string): Promise<RedactionRecord[]>
  /** Returns up to `limit` redactions that are not settled, oldest first. */
  unsettled(limit: number): Promise<UnsettledRedaction[]>
  /**
   * Forgets what endpoints answered to messages about the incidents, and to test messages, which
   * may have repeated the content; and stored answers that were computed before the redaction. At
   * most `limit` of each kind; returns how many.
   */
  clearAnswers(redactionId: string, limit: number): Promise<number>
  /**
   * Removes overwritten content from the database's own files as far as the database can: SQLite
   * rebuilds the file and empties its log; PostgreSQL vacuums the tables. May take long.
   */
  erase(): Promise<void>
  /**
   * `at`: null if there is something to erase again. `settled`: nothing that began before the
   * redaction can still add content.
   */
  recordErased(redactionId: string, at: number | null, settled: boolean): Promise<void>
}
