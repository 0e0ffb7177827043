import type { Lga, Match } from '../../domain/places.ts'
import { distanceKm } from '../../lib/geometry.ts'
import type { GazetteerPlace } from '../gazetteer/gazetteer.ts'
import { lgaRadiusKm, lgasNamed } from './areas.ts'
import type { Context } from './context.ts'
import type { Mention } from './mentions.ts'

/** Every sum of these is divided by `HIGHEST` in the end, so that a score lies between 0 and 1. */
export const SCORES = {
  settlement: 0.6,
  lga: 0.42,
  state: 0.2,
  corridor: 0.55,
  /** "Gwoza LGA", "Borno State". */
  statedArea: 0.2,
  /** "Pulka town", "the village of Kaya". */
  statedTown: 0.25,
  afterPreposition: 0.05,
  /** In a list of well-known places, unlike a hamlet of the same name. */
  notable: 0.06,
  /** A sentence that only says where. */
  locationLine: 0.15,
  inLga: 0.25,
  inContainingLga: 0.15,
  inState: 0.15,
  inLikelyState: 0.1,
  /** Another name of the text lies within 35 or 70 kilometres. */
  closeToOther: 0.1,
  nearOther: 0.05,
  /** The seat of the LGA of the same name is better known than a hamlet elsewhere. */
  lgaSeat: 0.05,
  /** A hamlet elsewhere with the name of an LGA. */
  lgaNamesake: -0.25,
  partOfName: -0.1,
  alias: -0.1,
  similar: -0.2,
} as const

const FACTORS = {
  otherState: 0.15,
  otherLga: 0.55,
  unlikelyState: 0.7,
  aside: 0.6,
  later: 0.8,
  road: 0.45,
  away: 0.65,
  near: 0.92,
} as const

export const HIGHEST = 1.6
/** The borders of LGAs are estimates where the operator has no file of them. */
const BORDER_KM = 8
const WELL_KNOWN = 50_000

/** A place that the text may mean, with the name that it uses. */
export interface KeyedPlace {
  readonly key: string
  readonly place: GazetteerPlace
}

export function settlementScore(
  place: GazetteerPlace,
  mention: Mention,
  how: Match,
  context: Context,
  others: readonly KeyedPlace[],
): number {
  let score: number = SCORES.settlement + (how === 'exact' ? 0 : SCORES[how])
  if (!mention.plural && (mention.kind === 'town' || mention.kind === 'village')) score += SCORES.statedTown
  if (mention.afterPreposition) score += SCORES.afterPreposition
  if (mention.locationLine) score += SCORES.locationLine
  if (place.notable) score += SCORES.notable
  score += Math.min(0.12, Math.log10(1 + place.population) * 0.02)
  if (place.lga && place.lga.name === place.name) score += SCORES.lgaSeat
  score += nearness(place, mention.key, others)
  if (isPartOnly(place, mention)) score += SCORES.partOfName
  if (isLgaNamesake(place, mention)) score += SCORES.lgaNamesake
  return withContext(score, place, context) * mentionFactor(mention)
}

/** A hamlet whose name is only part of the name in the text; a city's name stands by itself. */
export function isPartOnly(place: GazetteerPlace, { partOfName }: Mention): boolean {
  return partOfName && place.population < WELL_KNOWN
}

function isLgaNamesake(place: GazetteerPlace, { key }: Mention): boolean {
  const lgas = lgasNamed(key)
  return lgas.length > 0 && place.population < WELL_KNOWN && !isInOne(place, new Set(lgas))
}

function nearness(place: GazetteerPlace, key: string, others: readonly KeyedPlace[]): number {
  let least = Infinity
  for (const { key: otherKey, place: other } of others) {
    if (otherKey === key || Math.abs(other.lat - place.lat) > 1) continue
    least = Math.min(least, distanceKm(place.lat, place.lng, other.lat, other.lng))
  }
  return least < 35 ? SCORES.closeToOther : least < 70 ? SCORES.nearOther : 0
}

export function mentionFactor({ aside, later, relation }: Mention): number {
  let factor = 1
  if (aside) factor *= FACTORS.aside
  if (later) factor *= FACTORS.later
  if (relation === 'road' || relation === 'between') factor *= FACTORS.road
  if (relation === 'away') factor *= FACTORS.away
  if (relation === 'near') factor *= FACTORS.near
  return factor
}

export function withContext(score: number, place: GazetteerPlace, context: Context): number {
  const { states, lgas, containing, likely } = context
  let result = score
  if (states.size > 0) {
    if (!states.has(place.state)) return result * FACTORS.otherState
    result += SCORES.inState
  }
  if (likely.size > 0) {
    if (likely.has(place.state)) result += SCORES.inLikelyState
    else if (states.size === 0 && place.population < WELL_KNOWN) result *= FACTORS.unlikelyState
  }
  if (lgas.size > 0) {
    if (isInOne(place, lgas)) result += SCORES.inLga
    else result *= FACTORS.otherLga
  } else if (containing.size > 0 && isInOne(place, containing)) result += SCORES.inContainingLga
  return result
}

/** The text names its LGA, or a place nearby. */
export function isConfirmed(
  place: GazetteerPlace,
  key: string,
  { lgas, containing }: Context,
  others: readonly KeyedPlace[],
): boolean {
  if (lgas.size > 0) return isInOne(place, lgas)
  if (containing.size > 0) return isInOne(place, containing)
  return place.lga?.name === place.name || nearness(place, key, others) === SCORES.closeToOther
}

function isInOne(place: GazetteerPlace, lgas: Context['lgas']): boolean {
  return lgaAround(place, lgas) !== null
}

/** The one of the LGAs that the place is in, or close to the border of. */
export function lgaAround(place: GazetteerPlace, lgas: Context['lgas']): Lga | null {
  if (place.lga && lgas.has(place.lga)) return place.lga
  for (const lga of lgas) {
    if (distanceKm(lga.lat, lga.lng, place.lat, place.lng) < lgaRadiusKm(lga) + BORDER_KM) return lga
  }
  return null
}
