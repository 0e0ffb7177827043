import type { Incident, Status } from '../../../domain/incident.ts'
import { type Claim, type ModerationRecord, type Origin, originOf, searchText } from '../../../domain/moderation.ts'
import { SEVERITIES } from '../../../domain/taxonomy.ts'

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

export interface DeskClaimRow {
  claimed_by: string | null
  claim_name: string | null
  claimed_until: number | null
}

export function deskClaimOf({ claimed_by, claim_name, claimed_until }: DeskClaimRow): Claim | null {
  return claimed_by === null ? null : { accountId: claimed_by, name: claim_name!, until: claimed_until! }
}
