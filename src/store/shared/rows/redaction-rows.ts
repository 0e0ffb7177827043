import type { FieldChange } from '../../../domain/lifecycle.ts'
import type { RedactableField, RedactionRecord } from '../../../domain/redaction.ts'
import type { StoredContent, StoredHistoryEntry, UnsettledRedaction } from '../../redactions.ts'
import { StaleVersion } from '../../store.ts'

export interface RedactionRow {
  id: string
  incident_id: string
  /** JSON list of ids. */
  incidents: string
  at: number
  key_id: string
  account_id: string | null
  actor: string
  fields: string
  found: string
  reason: string
  erased_at: number | null
}

export function redactionOf(row: RedactionRow): RedactionRecord {
  return {
    id: row.id,
    incidentId: row.incident_id,
    incidentIds: (JSON.parse(row.incidents) as string[]).sort(),
    at: row.at,
    by: { key_id: row.key_id, account_id: row.account_id, name: row.actor },
    fields: JSON.parse(row.fields) as RedactableField[],
    found: JSON.parse(row.found) as number[],
    reason: row.reason,
    erasedAt: row.erased_at,
  }
}

/** In the order of the table's columns. */
export function redactionValues({ id, incidentId, at, by, fields, found, reason, erasedAt }: RedactionRecord) {
  return [
    id,
    incidentId,
    at,
    by.key_id,
    by.account_id,
    by.name,
    JSON.stringify(fields),
    JSON.stringify(found),
    reason,
    erasedAt,
  ] as const
}

export interface UnsettledRow {
  id: string
  at: number
  erased_at: number | null
}

export function unsettledOf({ id, at, erased_at }: UnsettledRow): UnsettledRedaction {
  return { id, at, erasedAt: erased_at }
}

export interface StoredHistoryRow {
  row: number
  note: string | null
  changes: string | null
}

export function storedHistoryOf({ row, note, changes }: StoredHistoryRow): StoredHistoryEntry {
  return { row, note, changes: changes === null ? [] : (JSON.parse(changes) as FieldChange[]) }
}

/** Throws if events or history entries were added between the read and the lock. */
export function checkUnchanged(incidentId: string, read: StoredContent, now: StoredCounts): void {
  if (read.events.length !== now.events || read.historyEntries.length !== now.entries)
    throw new StaleVersion(incidentId)
}

export interface StoredCounts {
  readonly events: number
  readonly entries: number
}

/** The tables whose overwritten rows may hold redacted content. */
export const REDACTED_TABLES = [
  'incidents',
  'events',
  'steps',
  'deliveries',
  'attempts',
  'idempotency',
  'desk_entries',
  'tips',
  'import_changes',
] as const
