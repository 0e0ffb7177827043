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
import { randomBytes } from '../lib/runtime.ts'
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

interface RedactionDecision extends Omit<Decision, 'note'> {
  readonly reason: string
}

/** Stores the redaction; throws `StaleVersion` if the content has changed since it was read. */
type ApplyRedaction = (write: RedactionWrite) => Promise<unknown>

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

/** After an erasure of a second the next one waits for nineteen. */
const WAIT_PER_DURATION = 19

interface RedactionCleanupParts {
  readonly store: Pick<Store, 'redactions'>
  /** Deletes this node's copy of the archive on the disk. */
  readonly eraseSaved: () => Promise<void>
  readonly clock: () => number
  /** Monotonic, in milliseconds. */
  readonly stopwatch: () => number
}

/**
 * Finishes the redactions of a process, one run at a time. SQLite rebuilds its file and holds up
 * writes meanwhile: many redactions share a rebuild, and rebuilding takes a twentieth of the time
 * at most. A redaction that has to wait for it stays on the list.
 */
export class RedactionCleanup {
  readonly #parts: RedactionCleanupParts
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  #eraseAfter = Number.NEGATIVE_INFINITY

  constructor(parts: RedactionCleanupParts) {
    this.#parts = parts
  }

  /** Resolves after a run that began after this call; callers share it. */
  run(): Promise<void> {
    if (this.#running === null) return this.#start()
    // A failure of the running one is reported to those who wait for it.
    this.#next ??= this.#running.catch(() => {}).then(() => this.#start())
    return this.#next
  }

  #start(): Promise<void> {
    const { store, clock } = this.#parts
    this.#next = null
    this.#running = finishRedactions(store, clock(), this.#eraseUnlessTooSoon).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  readonly #eraseUnlessTooSoon = async (): Promise<boolean> => {
    const { store, eraseSaved, stopwatch } = this.#parts
    const began = stopwatch()
    if (began < this.#eraseAfter) return false
    try {
      await eraseSaved()
      await store.redactions.erase()
    } finally {
      const ended = stopwatch()
      this.#eraseAfter = ended + (ended - began) * WAIT_PER_DURATION
    }
    return true
  }
}

/**
 * A message that was being sent, or a request that was being answered, at the moment of the
 * redaction has recorded its answer by then.
 */
const SETTLED_AFTER_MS = 120_000
const BATCH = 500
const MAX_REDACTIONS = 50

/**
 * Removes what a redaction leaves behind: answers that repeat the content, and overwritten rows.
 * Run again and again, so that a crash or a busy database only delays it. `erase` returns false if
 * it leaves the erasing to a later run.
 */
export async function finishRedactions(
  { redactions }: Pick<Store, 'redactions'>,
  now: number,
  erase = () => redactions.erase().then(() => true),
): Promise<void> {
  const waiting = await redactions.unsettled(MAX_REDACTIONS)
  let mustErase = false
  for (const { id, erasedAt } of waiting) {
    let cleared = 0
    for (let last = -1; last !== 0; cleared += last) last = await redactions.clearAnswers(id, BATCH)
    // Stored: if erasing fails now, the next run must know that there is something to erase.
    if (erasedAt !== null && cleared > 0) await redactions.recordErased(id, null, false)
    mustErase ||= erasedAt === null || cleared > 0
  }
  // One rebuild for all of them: it is the expensive part.
  if (mustErase && !(await erase())) return
  for (const { id, at, erasedAt } of waiting) {
    const settled = now - at >= SETTLED_AFTER_MS
    if (mustErase || settled) await redactions.recordErased(id, mustErase ? now : erasedAt!, settled)
  }
}
