import type { KeyHolder } from '../../../accounts/keys/key-cache.ts'
import type { Archive } from '../../../archive/archive.ts'
import type { Asker, SlicedQueries } from '../../../archive/slices/sliced-queries.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { Actor, HistoryEntry } from '../../../domain/moderation-record.ts'
import { differingFields } from '../../../domain/near-duplicate/differing-fields.ts'
import {
  duplicateCandidates,
  type FindPublished,
  type PossibleDuplicate,
} from '../../../intake/desk/duplicate-candidates.ts'
import { moderatedIncidentOf } from '../../../intake/desk/moderated-incident.ts'
import type { IncidentChange, IncidentRecord, Incidents, Store } from '../../../store/store.ts'
import { newestIncidents } from '../watches/matching-incidents.ts'

/** An incident as it will be once the changes are saved, for an answer stored with them. */
export async function changedDeskResponse(
  id: string,
  changes: readonly IncidentChange[],
  store: Store,
  published: FindPublished,
) {
  const { incident, moderation = null } = changes.find((change) => change.incident.id === id)!
  const changed = new Set(changes.map((change) => change.incident.id))
  const openReports: Incidents['openReports'] = async (from, to, limit) =>
    (await store.incidents.openReports(from, to, limit)).filter((report) => !changed.has(report.id))
  const [response] = await deskResponses([{ incident, moderation }], { incidents: { openReports } }, published)
  return response!
}

/** Adds moderation data and possible duplicates to each incident. */
export async function deskResponses(
  records: readonly IncidentRecord[],
  store: { readonly incidents: Pick<Incidents, 'openReports'> },
  published: FindPublished,
) {
  const open = records.map(({ incident }) => incident).filter(({ status }) => status === 'reported')
  const duplicates = await duplicateCandidates(open, published, store.incidents)
  return records.map((record) => deskResponse(record, duplicates.get(record.incident.id) ?? []))
}

/** For a reporter, who must not see the unpublished reports of others: only public duplicates. */
export async function reporterResponses(records: readonly IncidentRecord[], store: Store, published: FindPublished) {
  const responses = await deskResponses(records, store, published)
  return responses.map(({ desk, ...incident }) => ({
    ...incident,
    desk: { ...desk, possible_duplicates: desk.possible_duplicates.filter(({ status }) => status === 'confirmed') },
  }))
}

function deskResponse(record: IncidentRecord, duplicates: readonly PossibleDuplicate[]) {
  const { incident, moderation } = moderatedIncidentOf(record)
  return {
    ...incident,
    desk: {
      text: moderation.text,
      official_sources: moderation.official,
      severity_given: moderation.severity_given,
      merged_into: moderation.merged_into,
      source_id: moderation.imported?.source_id ?? null,
      possible_duplicates: duplicates.map((duplicate) => duplicateResponse(incident, duplicate)),
    },
  }
}

function duplicateResponse(report: Incident, { incident, score, reasons }: PossibleDuplicate) {
  const { id, status, type, state, lga, location, occurred_at, time_precision, casualties, summary } = incident
  const { place } = location
  const differs = differingFields(report, incident)
  const compared = { type, state, lga, place, occurred_at, time_precision, casualties, summary }
  return { id, score, reasons, differs, status, ...compared }
}

/** Newest first. */
export function publishedSourceOf(archive: Archive, queries: SlicedQueries, asker: Asker, now: number): FindPublished {
  return async (filter, limit) => queries.run(archive, asker, (view) => newestIncidents(view, filter, limit, now))
}

export function historyEntryResponse({ at, ...entry }: HistoryEntry) {
  return { ...entry, at: new Date(at).toISOString() }
}

/** The name may be published with an override, so it is never an e-mail address. */
export function actorOf({ key, account }: KeyHolder): Actor {
  return { key_id: key.id, account_id: account.id, name: key.name ?? account.name ?? `key …${key.hint}` }
}
