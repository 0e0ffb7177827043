import type { SourceClass } from '../../domain/confidence/weights.ts'
import type { EventKind, Incident } from '../../domain/incident.ts'
import type { Account, Key, KeyKind, Scope } from '../../domain/key.ts'
import type { HistoryEntry, HistoryStep, ModerationRecord } from '../../domain/moderation-record.ts'
import type { IdempotencyClaim, IncidentRecord, LogEvent, PublisherEntry, Signup } from '../store.ts'

// Both dialects have the same column names.

export interface EventLogRow {
  seq: number
  kind: string
  at: number
  incident_id: string
  document: string
}

export function logEventOf(row: EventLogRow): LogEvent {
  return {
    seq: row.seq,
    kind: row.kind as EventKind,
    at: row.at,
    incidentId: row.incident_id,
    document: row.document,
  }
}

export interface IncidentRecordRow {
  document: string
  dossier: string | null
}

export function incidentRecordOf({ document, dossier }: IncidentRecordRow): IncidentRecord {
  return {
    incident: JSON.parse(document) as Incident,
    moderation: dossier === null ? null : (JSON.parse(dossier) as ModerationRecord),
  }
}

export interface HistoryRow {
  step: string
  version: number
  at: number
  key_id: string
  actor: string
  note: string | null
  fields: string
}

export function historyEntryOf(row: HistoryRow): HistoryEntry {
  return {
    step: row.step as HistoryStep,
    version: row.version,
    at: row.at,
    by: { key_id: row.key_id, name: row.actor },
    note: row.note,
    fields: JSON.parse(row.fields) as string[],
  }
}

/** In the order of the table's columns, after the incident's id. */
export function historyEntryValues({ step, version, at, by, note, fields }: HistoryEntry) {
  return [step, version, at, by.key_id, by.name, note, JSON.stringify(fields)] as const
}

export interface PublisherRow {
  key: string
  name: string
  kind: string
  updated_at: number
}

export function publisherOf({ key, name, kind, updated_at }: PublisherRow): PublisherEntry {
  return { key, name, kind: kind as SourceClass, updatedAt: updated_at }
}

export interface AccountRow {
  id: string
  email: string | null
  name: string | null
  created_at: number
}

export function accountOf(row: AccountRow): Account {
  return { id: row.id, email: row.email, name: row.name, createdAt: row.created_at }
}

export interface KeyRow {
  id: string
  account_id: string
  kind: string
  name: string | null
  hash: string
  hint: string
  scopes: string
  origins: string
  rate_per_minute: number | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export function keyOf(row: KeyRow): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind as KeyKind,
    name: row.name,
    hash: row.hash,
    hint: row.hint,
    scopes: JSON.parse(row.scopes) as Scope[],
    origins: JSON.parse(row.origins) as string[],
    ratePerMinute: row.rate_per_minute,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}

/** In the order of the table's columns. */
export function keyValues(key: Key) {
  return [
    key.id,
    key.accountId,
    key.kind,
    key.name,
    key.hash,
    key.hint,
    JSON.stringify(key.scopes),
    JSON.stringify(key.origins),
    key.ratePerMinute,
    key.createdAt,
    key.expiresAt,
    key.revokedAt,
  ] as const
}

export interface KeyWithAccountRow extends KeyRow {
  account_email: string | null
  account_name: string | null
  account_created_at: number
}

export function keyWithAccountOf(row: KeyWithAccountRow): { key: Key; account: Account } {
  const account = {
    id: row.account_id,
    email: row.account_email,
    name: row.account_name,
    createdAt: row.account_created_at,
  }
  return { key: keyOf(row), account }
}

export interface SignupRow {
  token_hash: string
  email: string
  name: string | null
  created_at: number
  expires_at: number
}

export function signupOf(row: SignupRow): Signup {
  return {
    tokenHash: row.token_hash,
    email: row.email,
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

export interface ClaimRow {
  fingerprint: string
  rights: string | null
  answer: Uint8Array | null
}

export function claimOf({ fingerprint, rights, answer }: ClaimRow): IdempotencyClaim {
  return answer === null
    ? { state: 'running', fingerprint, rights }
    : { state: 'finished', fingerprint, rights, answer: new Uint8Array(answer) }
}
