import type { EventKind, Incident } from '../../../domain/incident.ts'
import type { FieldChange, HistoryEntry, HistoryStep } from '../../../domain/lifecycle.ts'
import type { ModerationRecord } from '../../../domain/moderation.ts'
import type { IncidentRecord, LogEvent, MergedIncident } from '../../store.ts'
import { type DeskClaimRow, deskClaimOf } from './desk-rows.ts'

// Both dialects have the same column names.

export interface EventLogRow {
  seq: number
  kind: string
  at: number
  incident_id: string
  document: string
  /** 0 or 1 in SQLite. */
  redacted: boolean | number
}

export function logEventOf(row: EventLogRow): LogEvent {
  return {
    seq: row.seq,
    kind: row.kind as EventKind,
    at: row.at,
    incidentId: row.incident_id,
    document: row.document,
    ...(row.redacted ? { redacted: true } : {}),
  }
}

export interface IncidentRecordRow extends DeskClaimRow {
  document: string
  dossier: string | null
}

export function incidentRecordOf(row: IncidentRecordRow): IncidentRecord {
  return {
    incident: JSON.parse(row.document) as Incident,
    moderation: row.dossier === null ? null : (JSON.parse(row.dossier) as ModerationRecord),
    claim: deskClaimOf(row),
  }
}

export function mergedIncidentOf(document: string): MergedIncident {
  const { id, merged_into } = JSON.parse(document) as Incident
  return { id, into: merged_into! }
}

export interface HistoryRow {
  step: string
  version: number
  at: number
  key_id: string
  account_id: string | null
  actor: string
  note: string | null
  fields: string
  step_id: string | null
  changes: string | null
  other: string | null
}

export function historyEntryOf(row: HistoryRow): HistoryEntry {
  return {
    id: row.step_id,
    step: row.step as HistoryStep,
    version: row.version,
    at: row.at,
    by: { key_id: row.key_id, account_id: row.account_id, name: row.actor },
    note: row.note,
    fields: JSON.parse(row.fields) as string[],
    changes: row.changes === null ? [] : (JSON.parse(row.changes) as FieldChange[]),
    other: row.other,
  }
}

/** In the order of the table's columns, after the incident's id. */
export function historyEntryValues({ id, step, version, at, by, note, fields, changes, other }: HistoryEntry) {
  const values = [step, version, at, by.key_id, by.name, note, JSON.stringify(fields)] as const
  return [...values, id, by.account_id, JSON.stringify(changes), other] as const
}
