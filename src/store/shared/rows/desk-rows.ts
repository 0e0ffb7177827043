import type { Incident, Status } from '../../../domain/incident.ts'
import {
  type Claim,
  EMPTY_MODERATION_RECORD,
  type ModerationRecord,
  type Origin,
  originOf,
  searchText,
} from '../../../domain/moderation.ts'
import { SEVERITIES } from '../../../domain/taxonomy.ts'
import type { DeskChange, DeskCount, DeskQuery } from '../../desk.ts'

/** A row of the desk's queue, but for its revision and its claim. */
export interface DeskEntryWrite {
  readonly id: string
  readonly status: Status
  readonly version: number
  /** Null keeps the stored one; `api` if there is none. */
  readonly origin: Origin | null
  readonly state: string
  readonly lga: string | null
  readonly type: string
  readonly severity: number
  readonly confidence: number
  readonly reportedAt: number
  readonly occurredAt: number
  readonly lat: number
  readonly lng: number
  readonly search: string
  /** False: only an entry that exists is changed. */
  readonly mayAdd: boolean
}

export function deskEntryOf(
  incident: Incident,
  moderation: ModerationRecord | undefined | null,
  mayAdd: boolean,
): DeskEntryWrite {
  return {
    id: incident.id,
    status: incident.status,
    version: incident.version,
    origin: moderation ? originOf(moderation) : null,
    state: incident.location.state_code,
    lga: incident.location.lga_code,
    type: incident.type,
    severity: SEVERITIES.indexOf(incident.severity),
    confidence: incident.confidence,
    reportedAt: Date.parse(incident.reported_at),
    occurredAt: Date.parse(incident.occurred_at),
    lat: incident.lat,
    lng: incident.lng,
    search: searchText(incident),
    mayAdd,
  }
}

/** An incident saved before there was a queue has no moderation record if it was imported. */
export function missingEntryOf({ incident, moderation }: { incident: Incident; moderation: ModerationRecord | null }) {
  return deskEntryOf(incident, moderation ?? EMPTY_MODERATION_RECORD, true)
}

export interface DeskClaimRow {
  claimed_by: string | null
  claim_name: string | null
  claimed_until: number | null
}

export function deskClaimOf({ claimed_by, claim_name, claimed_until }: DeskClaimRow): Claim | null {
  return claimed_by === null ? null : { accountId: claimed_by, name: claim_name!, until: claimed_until! }
}

export interface DeskChangeRow extends DeskClaimRow {
  revision: number
  id: string
  status: string
  version: number
}

export function deskChangeOf(row: DeskChangeRow): DeskChange {
  const { revision, id, status, version } = row
  return { revision, id, status: status as Status, version, claim: deskClaimOf(row) }
}

export interface DeskCountRow {
  status: string
  origin: string
  severity: number
  entries: number
}

export function deskCountOf({ status, origin, severity, entries }: DeskCountRow): DeskCount {
  return { status: status as Status, origin: origin as Origin, severity: SEVERITIES[severity]!, entries }
}

/** Words as they are looked for: each begins after a space. */
export function soughtWords({ words }: DeskQuery): string[] {
  return words.map((word) => ` ${word}`)
}
