import { randomBytes } from 'node:crypto'
import { invalidBody } from '../domain/errors.ts'
import { newIdentifier } from '../domain/identifier.ts'
import type { EventKind, Incident } from '../domain/incident.ts'
import { LOCATION_UNCERTAINTY_KM } from '../domain/near-duplicates.ts'
import {
  type CoarsePoint,
  ContentRedactor,
  isSearchable,
  type RedactionRecord,
  type RedactionRequest,
  WordRedactor,
} from '../domain/redaction.ts'
import type { Geography } from '../geo/geography.ts'
import { timeText } from '../lib/time.ts'
import type { IncidentChange, IncidentRecord, RedactionWrite, Store, StoredContent, Tip } from '../store/store.ts'
import {
  checkVersion,
  type Decision,
  loadIncident,
  moderatedIncidentOf,
  newHistoryEntry,
  repeatWhileStale,
} from './decision.ts'

export interface RedactionDecision extends Omit<Decision, 'note'> {
  readonly reason: string
}

/** Stores the redaction; throws `StaleVersion` if the content has changed since it was read. */
export type ApplyRedaction = (write: RedactionWrite) => Promise<unknown>

/**
 * Takes content out of every version, event, note and record of an incident, and of those merged
 * with it: words out of all of them, fields out of the incident and the reports merged into it. A
 * claim of another editor does not stop it: what must vanish must not wait.
 */
export async function redactIncident(
  id: string,
  request: RedactionRequest,
  decision: RedactionDecision,
  store: Store,
  coarsePoint: CoarsePoint,
  apply: ApplyRedaction,
): Promise<RedactionRecord> {
  checkRequest(request, decision.reason)
  return repeatWhileStale(async () => {
    checkVersion((await loadIncident(id, store)).incident, decision.expected)
    const ids = await incidentsToRedact(id, request, store)
    const read = await store.redactions.read(ids)
    // After the content: whatever a sender adds from here on is an entry of the history, which is
    // noticed.
    const tips = await store.tips.ofIncidents(ids)
    const write = redactContent(id, read, tips, request, decision, coarsePoint)
    await apply(write)
    return write.record
  })
}

function checkRequest({ fields, words }: RedactionRequest, reason: string): void {
  const refusal = (pointer: string, message: string) => invalidBody([{ pointer, message }])
  if (fields.length === 0 && words.length === 0) throw refusal('', 'must have fields, words, or all: true')
  const short = words.findIndex((word) => !isSearchable(word))
  if (short >= 0) throw refusal(`/words/${short}`, 'must have at least two letters or digits')
  if (reason === '') throw refusal('/reason', 'must not be empty')
  // The reason stays: it must not say again what is taken out.
  if (new WordRedactor(words).has(reason))
    throw refusal('/reason', 'must not contain the words, because the reason is kept')
}

/** Without a bound: a report left out would keep the content unnoticed. */
async function incidentsToRedact(id: string, { words }: RedactionRequest, store: Store): Promise<string[]> {
  const found = new Set<string>()
  const waiting = [id]
  while (waiting.length > 0) {
    const [record] = await store.incidents.findRecords([waiting.pop()!])
    if (record === undefined || found.has(record.incident.id)) continue
    found.add(record.incident.id)
    waiting.push(...(await store.redactions.mergedInto(record.incident.id)))
    const { merged_into } = moderatedIncidentOf(record).moderation
    if (words.length > 0 && merged_into !== null) waiting.push(merged_into)
  }
  return [...found]
}

function redactContent(
  id: string,
  read: StoredContent,
  tips: readonly Tip[],
  request: RedactionRequest,
  decision: RedactionDecision,
  coarsePoint: CoarsePoint,
): RedactionWrite {
  const redactor = new ContentRedactor(request, coarsePoint)
  const published = new Set(read.events.map(({ incidentId }) => incidentId))
  const changes = read.records.map((record) =>
    nextVersion(record, redactor, decision, request, published.has(record.incident.id)),
  )
  const events = read.events.map((event) => ({
    ...event,
    document: JSON.stringify(redactor.redactIncident(JSON.parse(event.document) as Incident)),
  }))
  const historyEntries = read.historyEntries.map(({ row, note, changes }) => ({
    row,
    note: redactor.redactNote(note),
    changes: redactor.redactChanges(changes),
  }))
  const contacts = tips
    .filter(({ contact }) => contact !== null && redactor.erasesContact(contact))
    .map(({ incidentId }) => incidentId)
  const found = redactor.found
  if (request.fields.length === 0 && found.every((count) => count === 0))
    throw invalidBody([{ pointer: '/words', message: 'are in no stored text of the incident; check their spelling' }])
  const { now, by, reason } = decision
  const record: RedactionRecord = {
    id: newIdentifier('redaction', now, randomBytes),
    incidentId: id,
    incidentIds: read.records.map(({ incident }) => incident.id).sort(),
    at: now,
    by,
    fields: request.fields,
    found,
    reason,
    erasedAt: null,
  }
  return { record, read, events, historyEntries, contacts, changes }
}

function nextVersion(
  record: IncidentRecord,
  redactor: ContentRedactor,
  decision: RedactionDecision,
  { fields, words }: RedactionRequest,
  published: boolean,
): IncidentChange {
  const { incident, moderation } = moderatedIncidentOf(record)
  const { version, status } = incident
  const next: Incident = {
    ...redactor.redactIncident(incident),
    updated_at: timeText(decision.now),
    version: version + 1,
  }
  return {
    incident: next,
    event: eventFor(next, published),
    replaces: { version, status },
    moderation: redactor.redactModeration(moderation),
    historyEntry: newHistoryEntry(
      'redact',
      next.version,
      { by: decision.by, now: decision.now, note: decision.reason },
      // Without changes: the old values are what is taken out.
      { fields: [...fields, ...(words.length > 0 ? ['words'] : [])] },
    ),
  }
}

/** Whoever may have a copy is told; nobody was told of an incident that was never public. */
function eventFor({ status, published_at }: Incident, published: boolean): EventKind | null {
  if (status === 'confirmed' && published_at !== null) return 'incident.updated'
  return published || published_at !== null ? 'incident.retracted' : null
}

/** The centre of the LGA; without one, the mean of the centres of the state's LGAs. */
export function coarsePointIn({ places }: Geography): CoarsePoint {
  return ({ lga_code, state_code }) => {
    const lga = places.lgas.find(({ code }) => code === lga_code)
    if (lga !== undefined)
      return { lat: lga.lat, lng: lga.lng, precision: 'lga', radius_km: LOCATION_UNCERTAINTY_KM.lga }
    const lgas = places.lgas.filter(({ state }) => state.code === state_code)
    const mean = (member: 'lat' | 'lng') =>
      Math.round((lgas.reduce((sum, each) => sum + each[member], 0) / lgas.length) * 1e4) / 1e4
    return { lat: mean('lat'), lng: mean('lng'), precision: 'state', radius_km: LOCATION_UNCERTAINTY_KM.state }
  }
}
