import { Problem } from '../domain/errors.ts'
import type { Incident } from '../domain/incident.ts'
import type { HistoryStep } from '../domain/moderation.ts'
import {
  Compared,
  compareIncidents,
  evidenceOf,
  LOCATION_UNCERTAINTY_KM,
  MAX_DISTANCE_KM,
  MAX_TIME_APART_MS,
  type Match,
  MIN_DUPLICATE_SCORE,
  possibleDuplicates,
  radiusKm,
  TIME_UNCERTAINTY_MS,
} from '../domain/near-duplicates.ts'
import { EVERYTHING, type Filter } from '../filter/filter.ts'
import { runInSlices, Semaphore } from '../lib/concurrency.ts'
import type {
  DismissalPosition,
  IncidentChange,
  IncidentRecord,
  Incidents,
  OpenPair,
  PairDecision,
  PairDismissal,
  PairPosition,
  Store,
} from '../store/store.ts'
import {
  type ComputeChanges,
  checkClaim,
  checkDecidable,
  checkVersion,
  type Decision,
  decidedChange,
  isOpen,
  loadIncident,
  type ModeratedIncident,
} from './decision.ts'

/** Returns public incidents, newest first. */
export type FindPublished = (filter: Filter, limit: number) => Promise<Incident[]>

export interface PossibleDuplicate extends Match {
  readonly incident: Incident
}

/** Largest uncertainty with which another incident is still a candidate. */
const OTHERS_RADIUS_KM = LOCATION_UNCERTAINTY_KM.state
const OTHERS_SPREAD_MS = TIME_UNCERTAINTY_MS.week
const MAX_PUBLISHED = 500
const MAX_OPEN_REPORTS = 2000
/** The largest radius that a filter accepts. */
const MAX_RADIUS_KM = 500
/**
 * Receiving the open reports of a store takes milliseconds: those of several requests must not come
 * at once.
 */
const readings = new WeakMap<Pick<Incidents, 'openReports'>, Semaphore>()

/** Searches published incidents, open reports and the given incidents themselves. */
export async function duplicateCandidates(
  incidents: readonly Incident[],
  findPublished: FindPublished,
  store: Pick<Incidents, 'openReports'>,
  dismissals: Dismissals = new Dismissals([]),
): Promise<Map<string, PossibleDuplicate[]>> {
  const found = new Map<string, PossibleDuplicate[]>()
  if (incidents.length === 0) return found
  const windows = incidents.map(windowOf)
  const from = Math.min(...windows.map((window) => window.from))
  const to = Math.max(...windows.map((window) => window.to))
  const reading = readings.get(store) ?? new Semaphore(1)
  readings.set(store, reading)
  const open = await reading.run(() => store.openReports(from, to, MAX_OPEN_REPORTS))
  const unpublished = new Map([...open, ...incidents].map((incident) => [incident.id, new Compared(incident)]))
  for (const incident of incidents) {
    const published = await findPublished(searchFilterFor(incident), MAX_PUBLISHED)
    const others = othersOf(incident, unpublished, published)
    const candidate = unpublished.get(incident.id)!
    const isDismissed = (other: Incident, match: Match) => dismissals.hides(incident.id, other.id, match)
    const steps = possibleDuplicates(candidate, others, MIN_DUPLICATE_SCORE, isDismissed)
    found.set(incident.id, await runInSlices(steps, 'possible duplicates'))
  }
  return found
}

/** Each once; what was published a moment ago may be in both. */
function* othersOf(
  { id, dataset }: Incident,
  unpublished: ReadonlyMap<string, Compared<Incident>>,
  published: readonly Incident[],
): Generator<Compared<Incident>> {
  // A data set tells apart what it lists apart.
  const mayBeSame = (other: Incident) => other.id !== id && (dataset === undefined || other.dataset !== dataset)
  for (const other of unpublished.values()) if (mayBeSame(other.incident)) yield other
  for (const other of published) if (mayBeSame(other) && !unpublished.has(other.id)) yield new Compared(other)
}

function windowOf({ occurred_at, time_precision }: Incident): { from: number; to: number } {
  const at = Date.parse(occurred_at)
  const reach = MAX_TIME_APART_MS + Math.max(TIME_UNCERTAINTY_MS[time_precision], OTHERS_SPREAD_MS)
  return { from: at - reach, to: at + reach }
}

function searchFilterFor(incident: Incident): Filter {
  const { lat, lng } = incident
  const { from, to } = windowOf(incident)
  const reachKm = Math.min(MAX_RADIUS_KM, MAX_DISTANCE_KM + radiusKm(incident) + OTHERS_RADIUS_KM)
  return { ...EVERYTHING, circle: { lat, lng, radiusKm: reachKm }, occurredFrom: from, occurredTo: to + 1 }
}

/** The key of a pair in the store: the lesser id is the first. */
function pairOf(id: string, otherId: string): { readonly oneId: string; readonly otherId: string } {
  return id < otherId ? { oneId: id, otherId } : { oneId: otherId, otherId: id }
}

/** A dismissal holds until more speaks for one event than the editor had before them. */
function holds({ evidence }: PairDismissal, match: Pick<Match, 'reasons'>): boolean {
  return evidenceOf(match) <= evidence
}

/** Dismissals by their pairs. */
export class Dismissals {
  readonly #byPair: ReadonlyMap<string, PairDismissal>

  constructor(dismissals: readonly PairDismissal[]) {
    this.#byPair = new Map(dismissals.map((each) => [`${each.oneId} ${each.otherId}`, each]))
  }

  find(id: string, otherId: string): PairDismissal | null {
    const pair = pairOf(id, otherId)
    return this.#byPair.get(`${pair.oneId} ${pair.otherId}`) ?? null
  }

  hides(id: string, otherId: string, match: Match): boolean {
    const dismissal = this.find(id, otherId)
    return dismissal !== null && holds(dismissal, match)
  }
}

/** Two incidents that may be one event, as they are now. */
export interface ComparedPair {
  readonly record: IncidentRecord
  readonly other: IncidentRecord
  readonly match: Match
  /** Null for a pair that no import has found. */
  readonly offer: Pick<OpenPair, 'importId' | 'offeredAt'> | null
  /** Null for a pair that is open. */
  readonly dismissal: PairDismissal | null
}

/** The most pairs that one request looks at: after a long day most of them are decided. */
const WINDOW = 2_000

/** Reads the pairs that wait for a decision; a page may be short although more follow. */
export async function readOpenPairs(after: PairPosition | null, limit: number, store: Store) {
  const { pairs: found, next } = await store.desk.openPairs(after, limit + 1, WINDOW)
  const page = found.slice(0, limit)
  const compare = await pairComparer(
    page.map(({ incidentId, otherId }) => [incidentId, otherId]),
    store,
  )
  const pairs = page.flatMap((pair) => {
    const compared = compare(pair.incidentId, pair.otherId)
    // Corrected since, they may no longer be alike.
    if (compared === null || compared.match.score < MIN_DUPLICATE_SCORE) return []
    if (pair.dismissal !== null && holds(pair.dismissal, compared.match)) return []
    return [{ ...compared, offer: pair, dismissal: null }]
  })
  return { pairs, next: found.length > limit ? page.at(-1)! : next }
}

/** Reads the pairs that were called different events, and still are, newest first. */
export async function readDismissedPairs(after: DismissalPosition | null, limit: number, store: Store) {
  const found = await store.desk.dismissals(after, limit + 1)
  const page = found.slice(0, limit)
  const compare = await pairComparer(
    page.map(({ oneId, otherId }) => [oneId, otherId]),
    store,
  )
  const pairs = page.flatMap((dismissal) => {
    const compared = compare(dismissal.oneId, dismissal.otherId)
    if (compared === null || !holds(dismissal, compared.match)) return []
    return [{ ...compared, offer: null, dismissal }]
  })
  return { pairs, next: found.length > limit ? page.at(-1)! : null }
}

/** Its result is null if one of the two is gone, or they are too far apart to be compared. */
async function pairComparer(pairs: readonly (readonly [string, string])[], store: Store) {
  const found = await store.incidents.findRecords([...new Set(pairs.flat())])
  const records = new Map(found.map((record) => [record.incident.id, record]))
  return (id: string, otherId: string) => {
    const [record, other] = [records.get(id), records.get(otherId)]
    if (record === undefined || other === undefined || !isOpen(record.incident) || !isOpen(other.incident)) return null
    const match = compareIncidents(record.incident, other.incident)
    return match && { record, other, match }
  }
}

interface OtherOfPair {
  readonly id: string
  /** The version that the editor has read; null accepts any. */
  readonly version: number | null
}

/**
 * Keeps that two incidents are not one event: they are not offered again unless more speaks for it.
 */
export function dismissDuplicate(other: OtherOfPair): ComputeChanges {
  return async (current, decision, store) => {
    const { id } = current.incident
    const { otherState, standing } = await loadPair(current, other, decision, store)
    for (const { incident } of [current, otherState])
      if (!isOpen(incident))
        throw refusal(`${incident.id} is ${incident.status}; only reported and confirmed incidents are compared.`)
    const [one, another] = [current.incident, otherState.incident].sort((one, other) => (one.id < other.id ? -1 : 1))
    const match = compareIncidents(one!, another!)
    if (match === null || match.score < MIN_DUPLICATE_SCORE)
      throw refusal(`${id} and ${other.id} are not offered as duplicates: too little speaks for one event.`)
    if (standing !== null && holds(standing, match))
      throw refusal(`${id} and ${other.id} were called different events already.`)
    return stepsOf('dismiss_duplicate', current, otherState, decision, {
      ...pairOf(id, other.id),
      dismissal: { oneVersion: one!.version, otherVersion: another!.version, evidence: evidenceOf(match) },
      replaces: standing?.dismissedAt ?? null,
    })
  }
}

/** Takes a dismissal back. */
export function offerDuplicate(other: OtherOfPair): ComputeChanges {
  return async (current, decision, store) => {
    const { id } = current.incident
    const { otherState, standing } = await loadPair(current, other, decision, store)
    if (standing === null) throw refusal(`${id} and ${other.id} were not called different events.`)
    const pair = { ...pairOf(id, other.id), dismissal: null, replaces: standing.dismissedAt }
    return stepsOf('offer_duplicate', current, otherState, decision, pair)
  }
}

async function loadPair(current: ModeratedIncident, other: OtherOfPair, decision: Decision, store: Store) {
  const { id } = current.incident
  if (other.id === id) throw new Problem('not_found', 'An incident is no duplicate of itself.')
  const otherState = await loadIncident(other.id, store)
  checkDecidable(current, decision)
  checkClaim(otherState, decision.by.account_id, decision.now)
  checkVersion(otherState.incident, other.version)
  const standing = new Dismissals(await store.desk.dismissalsOf([id])).find(id, other.id)
  return { otherState, standing }
}

function refusal(detail: string): Problem {
  return new Problem('not_in_this_state', detail)
}

/** Both histories name the other; neither incident changes. */
function stepsOf(
  step: HistoryStep,
  current: ModeratedIncident,
  other: ModeratedIncident,
  decision: Decision,
  pair: PairDecision,
): IncidentChange[] {
  return [
    { ...decidedChange(step, current, current, decision, { other: other.incident.id }), pair },
    decidedChange(step, other, other, decision, { other: current.incident.id }),
  ]
}
