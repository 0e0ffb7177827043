import type { KeyHolder } from '../../../accounts/keys/key-cache.ts'
import type { Archive } from '../../../archive/archive.ts'
import type { Actor, HistoryEntry } from '../../../domain/moderation-record.ts'
import {
  duplicateCandidates,
  type FindPublished,
  type PossibleDuplicate,
} from '../../../intake/desk/duplicate-candidates.ts'
import { moderatedIncidentOf } from '../../../intake/desk/moderated-incident.ts'
import type { IncidentRecord, Store } from '../../../store/store.ts'
import { newestIncidents } from '../watches/matching-incidents.ts'

/** Incidents as the desk sees them, each with what may be the same. */
export async function deskResponses(filed: readonly IncidentRecord[], store: Store, published: FindPublished) {
  const open = filed.map(({ incident }) => incident).filter(({ status }) => status === 'reported')
  const neighbours = await duplicateCandidates(open, published, store.incidents)
  return filed.map((each) => deskIncident(each, neighbours.get(each.incident.id) ?? []))
}

function deskIncident(filed: IncidentRecord, duplicates: readonly PossibleDuplicate[]) {
  const { incident, moderation } = moderatedIncidentOf(filed)
  return {
    ...incident,
    desk: {
      text: moderation.text,
      official_sources: moderation.official,
      severity_given: moderation.severity_given,
      merged_into: moderation.merged_into,
      source_id: moderation.imported?.source_id ?? null,
      possible_duplicates: duplicates.map(duplicateResponse),
    },
  }
}

function duplicateResponse({ incident, score }: PossibleDuplicate) {
  const { id, status, type, state, lga, occurred_at, summary } = incident
  return { id, score, status, type, state, lga, occurred_at, summary }
}

/** Public incidents, newest first, out of the archive. */
export function publishedSourceOf(archive: Archive, now: number): FindPublished {
  return (filter, most) => newestIncidents(archive, filter, most, now)
}

export function historyEntryResponse({ at, ...step }: HistoryEntry) {
  return { ...step, at: new Date(at).toISOString() }
}

/** Who decides. The name may be published, with an override: never an address. */
export function actorOf({ key, account }: KeyHolder): Actor {
  return { key_id: key.id, name: key.name ?? account.name ?? `key …${key.hint}` }
}
