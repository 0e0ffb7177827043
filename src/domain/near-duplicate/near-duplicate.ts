import { distanceKm } from '../../lib/geometry/geometry.ts'
import type { Casualties, Incident, Location, Precision, TimePrecision } from '../incident.ts'
import { categoryOf, type IncidentType } from '../taxonomy.ts'
import { significantWords } from './significant-words.ts'

/** The fields by which two incidents, or a located report and an incident, are compared. */
export interface Comparable
  extends Pick<Incident, 'type' | 'lat' | 'lng' | 'occurred_at' | 'time_precision' | 'summary' | 'casualties'> {
  readonly location: Pick<Location, 'precision' | 'radius_km'>
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

export const MAX_DISTANCE_KM = 25
export const MAX_TIME_APART_MS = 48 * HOUR
/** From this score on, an operator should compare the two. */
export const MIN_DUPLICATE_SCORE = 0.6
const MAX_DUPLICATES = 5

/** Distance to the true place by precision, if the location has no radius. */
export const LOCATION_UNCERTAINTY_KM = { exact: 0.5, settlement: 3, lga: 25, state: 100 } as const satisfies Record<
  Precision,
  number
>
/** Difference to the true time by precision. */
export const TIME_UNCERTAINTY_MS = {
  exact: 0,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 31 * DAY,
  year: 366 * DAY,
} as const satisfies Record<TimePrecision, number>

/** A similarity that cannot be computed, such as of unknown casualties, is left out. */
export const SIMILARITY_WEIGHTS = { place: 25, time: 20, type: 20, words: 25, casualties: 10 } as const
const WEIGHTS = Object.entries(SIMILARITY_WEIGHTS) as [keyof typeof SIMILARITY_WEIGHTS, number][]
export const TYPE_SIMILARITY = { same: 1, category: 0.6, other: 0.2 } as const

/** Returns 0 to 1; null if the two are too far apart in place or time to compare. */
export function duplicateScore(one: Comparable, other: Comparable): number | null {
  const place = closeness(distanceKm(one.lat, one.lng, other.lat, other.lng), placeReach(one, other))
  const time = closeness(Math.abs(Date.parse(one.occurred_at) - Date.parse(other.occurred_at)), timeReach(one, other))
  if (place === null || time === null) return null
  const similarity = {
    place,
    time,
    type: typeSimilarity(one.type, other.type),
    words: wordSimilarity(wordsOf(one), wordsOf(other)),
    casualties: casualtySimilarity(one.casualties, other.casualties),
  } satisfies Record<keyof typeof SIMILARITY_WEIGHTS, number | null>
  let sum = 0
  let weights = 0
  for (const [name, weight] of WEIGHTS) {
    const value = similarity[name]
    if (value === null) continue
    sum += weight * value
    weights += weight
  }
  return Math.round((sum / weights) * 100) / 100
}

/** Returns the most similar, best first, at most five. `others` must not contain the candidate. */
export function possibleDuplicates<Other extends Comparable>(
  candidate: Comparable,
  others: Iterable<Other>,
  least: number = MIN_DUPLICATE_SCORE,
): { incident: Other; score: number }[] {
  const likely: { incident: Other; score: number }[] = []
  for (const incident of others) {
    const score = duplicateScore(candidate, incident)
    if (score !== null && score >= least) likely.push({ incident, score })
  }
  return likely.sort((one, other) => other.score - one.score).slice(0, MAX_DUPLICATES)
}

function placeReach(one: Comparable, other: Comparable): number {
  return MAX_DISTANCE_KM + (radiusKm(one) + radiusKm(other))
}

function radiusKm({ location }: Comparable): number {
  return location.radius_km ?? LOCATION_UNCERTAINTY_KM[location.precision]
}

// The less precise of the two decides: a time known to the day is some moment of that day.
function timeReach(one: Comparable, other: Comparable): number {
  return (
    MAX_TIME_APART_MS + Math.max(TIME_UNCERTAINTY_MS[one.time_precision], TIME_UNCERTAINTY_MS[other.time_precision])
  )
}

function closeness(apart: number, reach: number): number | null {
  return apart <= reach ? 1 - apart / reach : null
}

function typeSimilarity(one: IncidentType, other: IncidentType): number {
  if (one === other) return TYPE_SIMILARITY.same
  return categoryOf(one) === categoryOf(other) ? TYPE_SIMILARITY.category : TYPE_SIMILARITY.other
}

/** Caches words: a page of the desk compares each of 200 reports with the same thousands. */
const knownWords = new WeakMap<Comparable, ReadonlySet<string>>()

function wordsOf(comparable: Comparable): ReadonlySet<string> {
  const known = knownWords.get(comparable) ?? significantWords(comparable.summary)
  knownWords.set(comparable, known)
  return known
}

/** The share of the words that both summaries contain (Dice coefficient). */
function wordSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number | null {
  if (one.size === 0 || other.size === 0) return null
  return (2 * one.intersection(other).size) / (one.size + other.size)
}

/** The mean over the numbers that both give. */
function casualtySimilarity(one: Casualties, other: Casualties): number | null {
  let sum = 0
  let figures = 0
  for (const name of ['killed', 'injured', 'abducted'] as const) {
    const [here, there] = [one[name], other[name]]
    if (here === null || there === null) continue
    sum += here === there ? 1 : Math.min(here, there) / Math.max(here, there)
    figures++
  }
  return figures === 0 ? null : sum / figures
}
