import type { Incident } from '../domain/incident.ts'
import {
  Compared,
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
import { Semaphore } from '../lib/concurrency.ts'
import { runInSlices } from '../lib/event-loop-share.ts'
import type { Incidents, PairDismissal } from '../store/store.ts'

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
 * Receiving the open reports takes milliseconds: those of several requests must not come at once.
 */
const reading = new Semaphore(1)

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
export function pairOf(id: string, otherId: string): { readonly oneId: string; readonly otherId: string } {
  return id < otherId ? { oneId: id, otherId } : { oneId: otherId, otherId: id }
}

/** A dismissal holds until more speaks for one event than the editor had before them. */
export function holds({ evidence }: PairDismissal, match: Pick<Match, 'reasons'>): boolean {
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
