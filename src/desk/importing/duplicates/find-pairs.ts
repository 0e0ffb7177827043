import type { Incident } from '../../../domain/incident.ts'
import {
  Compared,
  MAX_TIME_APART_MS,
  MIN_DUPLICATE_SCORE,
  radiusKm,
  scoreCompared,
  TIME_UNCERTAINTY_MS,
} from '../../../domain/near-duplicates.ts'
import type { DuplicatePair } from '../../../store/store.ts'

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
export class PairFinder {
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
    const key = keyOf(dayOf(compared), Math.floor(incident.lat), Math.floor(incident.lng))
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
          const key = keyOf(at, Math.floor(incident.lat) + north, Math.floor(incident.lng) + east)
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

function keyOf(day: number, lat: number, lng: number): string {
  return `${day} ${lat} ${lng}`
}
