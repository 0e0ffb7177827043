import type { FoundPlace, Lga, Meaning, State } from '../../domain/places.ts'
import { distanceKm } from '../../lib/geometry.ts'
import { lgaRadiusKm, lgasNamed, stateMiddle, stateNamed } from './areas.ts'
import type { PlaceCandidate } from './candidates.ts'

/** Two places are rivals if their scores differ by less than this … */
const CLOSE_SCORES = 0.06
/** … and they are farther apart than this. */
const SAME_PLACE_KM = 15
/**
 * Below this share of the first's score, the text itself excludes a namesake: it names another
 * state.
 */
const LEAST_SHARE = 0.5
/** A hamlet by its name alone. */
const UNCERTAIN_KM = 20

export interface ChosenPlace extends PlaceCandidate {
  /** Other places that the text may mean as well. */
  readonly rivals: readonly PlaceCandidate[]
}

/**
 * The place that a text means, as precise as it is certain: rivals widen it to the LGA or state
 * that they share, and a name that is only similar to the one that the text names as well. Null
 * where the text names none, or where its names may lie in several states.
 */
export function choosePlace(candidates: readonly PlaceCandidate[]): ChosenPlace | null {
  const [first] = candidates
  if (!first) return null
  if (!first.certain && (first.relation === 'road' || first.relation === 'between') && first.precision === 'state')
    return null
  const rivals = rivalsOf(candidates)
  const chosen = { ...first, rivals }
  if (first.matched.how === 'similar') return asWideAsNamed(chosen, candidates)
  if (rivals.some(({ state }) => state !== first.state)) {
    // Rivals by one name are a question; of several names, the first is at least the text's own.
    if (first.precision === 'state' || rivals.some((rival) => rival.state !== first.state && sameWords(rival, first)))
      return null
    return widened(chosen, null)
  }
  if (rivals.length > 0) return widened(chosen, sharedLga([first, ...rivals]))
  if (first.precision === 'settlement' && isStateToo(first)) return widened(chosen, null)
  return { ...asPreciseAsCertain(first), rivals }
}

/**
 * Similar letters alone are a question: no more is certain than the area that the text names as
 * well.
 */
function asWideAsNamed(chosen: ChosenPlace, candidates: readonly PlaceCandidate[]): ChosenPlace | null {
  const { around, state } = chosen
  if (around === null) return null
  if ('state' in around) return widened(chosen, around)
  return candidates.every((other) => !sameWords(chosen, other) || other.state === state) ? widened(chosen, null) : null
}

/** A hamlet that nothing else in the text confirms may have namesakes that no list has. */
export function asPreciseAsCertain(place: PlaceCandidate): PlaceCandidate {
  if (place.precision !== 'settlement' || place.certain) return place
  return { ...place, precision: 'lga', radius_km: Math.max(place.radius_km, UNCERTAIN_KM) }
}

/** The candidates that a text may mean as well as its first. */
export function rivalsOf(candidates: readonly PlaceCandidate[]): PlaceCandidate[] {
  const [first] = candidates
  if (!first) return []
  return candidates.filter(
    (other) => isCloseRival(first, other) || isOtherLga(first, other) || isOtherOfAlias(first, other),
  )
}

function isCloseRival(first: PlaceCandidate, other: PlaceCandidate): boolean {
  return (
    other !== first &&
    first.score - other.score < CLOSE_SCORES &&
    first.precision === other.precision &&
    // Size decides: a town that is known is meant rather than a hamlet that nothing confirms.
    (other.certain || !first.certain || !sameWords(first, other)) &&
    distanceKm(first.lat, first.lng, other.lat, other.lng) > SAME_PLACE_KM
  )
}

/** "Bassa": LGAs of two states have the name, whichever has a town of it. */
function isOtherLga(first: PlaceCandidate, other: PlaceCandidate): boolean {
  return (
    other.precision === 'lga' &&
    other.name === other.lga?.name &&
    other.state !== first.state &&
    sameWords(first, other) &&
    lgasNamed(other.name).length > 1
  )
}

/**
 * "Ado": short for Ado-Ekiti, and the name of an LGA of Benue. Another name of a place excludes
 * nobody's own.
 */
function isOtherOfAlias(first: PlaceCandidate, other: PlaceCandidate): boolean {
  return (
    other !== first &&
    first.matched.how === 'alias' &&
    other.matched.how !== 'similar' &&
    sameWords(first, other) &&
    other.score >= first.score * LEAST_SHARE &&
    distanceKm(first.lat, first.lng, other.lat, other.lng) > SAME_PLACE_KM
  )
}

function sameWords(one: PlaceCandidate, other: PlaceCandidate): boolean {
  return one.matched.start === other.matched.start
}

function sharedLga(all: readonly PlaceCandidate[]): Lga | null {
  const [first] = all
  return first?.lga && all.every(({ lga }) => lga === first.lga) ? first.lga : null
}

/** "In Kano" may mean the city or its state. */
function isStateToo({ name, matched, stated }: PlaceCandidate): boolean {
  return stated !== 'town' && stateNamed(matched.text) !== null && stateNamed(name) !== null
}

function widened(chosen: ChosenPlace, lga: Lga | null): ChosenPlace {
  if (lga) return { ...chosen, precision: 'lga', radius_km: Math.max(chosen.radius_km, lgaRadiusKm(lga)), lga }
  return { ...chosen, precision: 'state', radius_km: Math.max(chosen.radius_km, radiusOf(chosen.state)), lga: null }
}

function radiusOf(state: State): number {
  return stateMiddle(state).radiusKm
}

/** The candidates of a text as responses show them, and whether it means one of them. */
export function foundPlaces(candidates: readonly PlaceCandidate[]): {
  readonly meaning: Meaning
  readonly places: FoundPlace[]
} {
  const rivals = rivalsOf(candidates)
  const [first] = candidates
  const meaning = !first ? 'none' : first.matched.how === 'similar' ? 'similar' : rivals.length > 0 ? 'several' : 'one'
  return { meaning, places: candidates.map((candidate) => foundPlace(candidate, rivals.includes(candidate))) }
}

export function foundPlace(candidate: PlaceCandidate, rival: boolean): FoundPlace {
  const { name, lat, lng, precision, radius_km, score, state, lga, matched, relation } = candidate
  return {
    name,
    lat,
    lng,
    precision,
    radius_km,
    score,
    state: state.name,
    state_code: state.code,
    lga: lga?.name ?? null,
    lga_code: lga?.code ?? null,
    matched: { how: matched.how, text: matched.text },
    relation,
    rival,
  }
}
