import type { ImportReport } from '../../domain/import-report.ts'
import type { Incident } from '../../domain/incident.ts'
import {
  Compared,
  MAX_TIME_APART_MS,
  MIN_DUPLICATE_SCORE,
  radiusKm,
  scoreCompared,
  TIME_UNCERTAINTY_MS,
} from '../../domain/near-duplicates.ts'
import type { DocumentChunk, DuplicatePair, IncidentRecord, Store } from '../../store/store.ts'
import { decidedChange, moderatedIncidentOf } from '../decision.ts'
import { retryStore } from './import.ts'
import { commandLine } from './reconcile.ts'

interface FinishedRun {
  readonly id: string
  readonly report: ImportReport
}

/**
 * Above this, the memory of the command would not be bounded; the rest is not compared, and it is
 * said.
 */
const MAX_COMPARED = 200_000
const MAX_OFFERED = 5_000
const PAGE = 1_000

interface OfferedPairs {
  readonly offered: number
  /** More was found, or imported, than one import offers or compares. */
  readonly isCutShort: boolean
}

/**
 * Offers the incidents of an import that another data set seems to have too: each gets a note at
 * the desk that names the other, and the desk shows the other beside it, to be compared and merged.
 */
export async function offerPairs(run: FinishedRun, store: Store, clock: () => number): Promise<OfferedPairs> {
  const finder = new PairFinder()
  const isWhole = await addChanged(run.id, store, finder)
  if (finder.size > 0)
    for await (const chunk of (await store.incidents.snapshot()).chunks)
      for (const incident of incidentsIn(chunk)) finder.compareWith(incident)
  const found = finder.pairs()
  const known = new Set((await store.imports.offeredPairs(found)).map(keyOf))
  const fresh = found.filter((pair) => !known.has(keyOf(pair)))
  const chosen = fresh.slice(0, MAX_OFFERED)
  for (let start = 0; start < chosen.length; start += PAGE)
    await saveNotes(run, chosen.slice(start, start + PAGE), store, clock)
  return { offered: chosen.length, isCutShort: !isWhole || chosen.length < fresh.length }
}

function keyOf({ incidentId, otherId }: DuplicatePair): string {
  return `${incidentId} ${otherId}`
}

/** Returns whether all were added. */
async function addChanged(runId: string, store: Store, finder: PairFinder): Promise<boolean> {
  for (let after: string | null = null; ; ) {
    const page = await store.imports.changes(runId, after, PAGE)
    const ids = page.filter(({ outcome }) => outcome !== 'poorer').map(({ incidentId }) => incidentId)
    for (const { incident } of await store.incidents.findRecords(ids))
      if (incident.status === 'confirmed') finder.addImported(incident)
    after = page.at(-1)?.incidentId ?? null
    if (page.length < PAGE) return true
    if (finder.size >= MAX_COMPARED) return false
  }
}

async function saveNotes(run: FinishedRun, pairs: readonly DuplicatePair[], store: Store, clock: () => number) {
  const ids = [...new Set(pairs.map(({ incidentId }) => incidentId))]
  await retryStore(async () => {
    const now = clock()
    const records = new Map((await store.incidents.findRecords(ids)).map((each) => [each.incident.id, each]))
    const changes = pairs.flatMap((pair) => noteOn(records.get(pair.incidentId), pair, run, now))
    const batch = { checkpoint: null, changes: [], undone: [], pairs }
    await store.incidents.save(changes, now, { ...batch, run: { id: run.id, state: 'finished', report: run.report } })
  }, {})
}

function noteOn(record: IncidentRecord | undefined, { otherId, score }: DuplicatePair, run: FinishedRun, now: number) {
  if (record === undefined) return []
  const note = `${otherId} of another data set seems to be the same event (score ${score}). Found after the import ${run.id}.`
  const state = moderatedIncidentOf(record)
  const decision = { by: commandLine(run.report.by), note, expected: null, now }
  return [decidedChange('note', state, state, decision, { other: otherId })]
}

export function* incidentsIn({ bytes, ends }: DocumentChunk): Generator<Incident> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let start = 0
  for (const end of ends) {
    yield JSON.parse(buffer.toString('utf8', start, end)) as Incident
    start = end
  }
}

const DAY = 86_400_000
/** Cells of a degree: two incidents that are compared lie in the same or in neighbouring ones. */
const MAX_RADIUS_KM = 30
const DAYS_APART = Math.ceil((MAX_TIME_APART_MS + TIME_UNCERTAINTY_MS.day) / DAY)
/** An event that three of another data set resemble is not told apart by more. */
const MAX_PER_INCIDENT = 3

/**
 * Finds incidents of other data sets that seem to be the same events as those given. Vague ones,
 * known to a week or to a state, resemble too many to be asked about. The cost is bounded by
 * buckets of a day and a degree.
 */
class PairFinder {
  readonly #buckets = new Map<string, Compared<Incident>[]>()
  readonly #ids = new Set<string>()
  readonly #found = new Map<string, DuplicatePair[]>()

  get size(): number {
    return this.#ids.size
  }

  /** Adds an incident that the import brought. */
  addImported(incident: Incident): void {
    if (isVague(incident)) return
    const compared = new Compared(incident)
    const key = cellOf(dayOf(compared), Math.floor(incident.lat), Math.floor(incident.lng))
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) this.#buckets.set(key, [compared])
    else bucket.push(compared)
    this.#ids.add(incident.id)
  }

  /** Compares an incident with all that were added, once they are. */
  compareWith(incident: Incident): void {
    if (isVague(incident)) return
    const other = new Compared(incident)
    const day = dayOf(other)
    for (let at = day - DAYS_APART; at <= day + DAYS_APART; at++) {
      for (let north = -1; north <= 1; north++) {
        for (let east = -1; east <= 1; east++) {
          const key = cellOf(at, Math.floor(incident.lat) + north, Math.floor(incident.lng) + east)
          for (const imported of this.#buckets.get(key) ?? []) this.#compare(imported, other)
        }
      }
    }
  }

  /** Likeliest first. */
  pairs(): DuplicatePair[] {
    return [...this.#found.values()].flat().sort((one, another) => another.score - one.score)
  }

  #compare(imported: Compared<Incident>, other: Compared<Incident>): void {
    const { id, dataset } = imported.incident
    const { id: otherId, dataset: otherDataset } = other.incident
    if (dataset === otherDataset) return
    // If the import brought both, each is found from the other; one of the two is enough.
    if (this.#ids.has(otherId) && otherId < id) return
    const score = scoreCompared(imported, other)
    if (score === null || score < MIN_DUPLICATE_SCORE) return
    const pairs = [...(this.#found.get(id) ?? []), { incidentId: id, otherId, score }]
    this.#found.set(id, pairs.sort((one, another) => another.score - one.score).slice(0, MAX_PER_INCIDENT))
  }
}

function isVague(incident: Incident): boolean {
  return TIME_UNCERTAINTY_MS[incident.time_precision] > DAY || radiusKm(incident) > MAX_RADIUS_KM
}

function dayOf({ occurredAt }: Compared): number {
  return Math.floor(occurredAt / DAY)
}

function cellOf(day: number, lat: number, lng: number): string {
  return `${day} ${lat} ${lng}`
}
