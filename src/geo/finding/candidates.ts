import type { Lga, Match, State } from '../../domain/places.ts'
import type { GazetteerPlace } from '../gazetteer/gazetteer.ts'
import { POINT_KINDS, USUAL_RADIUS_KM } from '../gazetteer/kinds.ts'
import { lgaRadiusKm, stateMiddle } from './areas.ts'
import type { Context } from './context.ts'
import type { Mention } from './mentions.ts'
import type { Matched, PlaceCandidate } from './place-candidate.ts'
import {
  isConfirmed,
  isPartOnly,
  type KeyedPlace,
  lgaAround,
  mentionFactor,
  SCORES,
  settlementScore,
  withContext,
} from './score.ts'

/** What all candidates of one text share. */
export interface Options {
  readonly text: string
  readonly context: Context
  /** The text names a town that is in no gazetteer: its neighbours are not where it happened. */
  readonly unknownTown: boolean
  /** … a village: not a district of a city either. */
  readonly unknownVillage: boolean
  /**
   * Names that the text states as LGAs or as the ends of a road: elsewhere they are not the town.
   */
  readonly statedAreas: ReadonlySet<string>
  /**
   * Where a name stands right before the LGA of the same name, "Gubio, Gubio LGA": it is the town.
   */
  readonly seats: ReadonlySet<number>
}

/** A place by one of the names of a mention. */
export interface MatchedSettlement {
  readonly place: GazetteerPlace
  readonly how: Match
}

/** "Near A" is known to about this. */
const NEAR_KM = 15
const ROAD_KM = 30
/** Factor for a town whose name the text states as an LGA or a road. */
const STATED_AREA = 0.6
const CITY = 100_000
/** A smaller one may have namesakes that no list has: something else must confirm it. */
const TOWN = 5_000

export function settlementCandidate(
  place: GazetteerPlace,
  mention: Mention,
  how: Match,
  others: readonly KeyedPlace[],
  { text, context, unknownTown, unknownVillage, statedAreas, seats }: Options,
): PlaceCandidate {
  const { name, lat, lng, state, lga, population, radiusKm } = place
  const isArea = !isStatedTown(mention) && statedAreas.has(mention.key) && !seats.has(mention.start)
  const score = settlementScore(place, mention, how, context, others) * (isArea ? STATED_AREA : 1)
  const own = radiusKm ?? USUAL_RADIUS_KM[place.kind] ?? (population >= 500_000 ? 10 : population >= 50_000 ? 5 : 3)
  const { relation } = mention
  // A district that no list has is still in its city; a village that no list has is not in the next
  // town.
  const vague =
    isPartOnly(place, mention) ||
    mention.plural ||
    (unknownTown && !isStatedTown(mention) && how === 'exact' && (population < CITY || unknownVillage))
  const wider =
    relation === 'road' || relation === 'between'
      ? ROAD_KM
      : relation === 'near' || relation === 'part' || vague
        ? NEAR_KM
        : own
  const radius_km = Math.max(own, wider, how === 'similar' ? NEAR_KM : 0)
  const precision = !POINT_KINDS.has(place.kind) || radius_km > 10 ? (radius_km > 40 ? 'state' : 'lga') : 'settlement'
  const matched = matchedBy(mention, how, text)
  const certain = population >= TOWN || place.notable === true || isConfirmed(place, mention.key, context, others)
  return {
    name,
    lat,
    lng,
    precision,
    radius_km,
    state,
    lga,
    score,
    matched,
    relation,
    stated: mention.kind,
    certain,
    around: lgaAround(place, context.lgas) ?? namedState(state, context),
  }
}

function isStatedTown({ kind }: Mention): boolean {
  return kind === 'town' || kind === 'village'
}

export function lgaCandidate(
  lga: Lga,
  mention: Mention | null,
  { text, context }: Options,
  how: Match = 'exact',
): PlaceCandidate {
  const { name, lat, lng, state } = lga
  const isPart = mention === null || mention.kind === 'lga' || mention.relation === 'part'
  const stated = isPart ? SCORES.statedArea : 0
  const preposition = mention?.afterPreposition ? SCORES.afterPreposition : 0
  const line = mention?.locationLine ? SCORES.locationLine : 0
  // The LGA is meant, whatever stands before it: "Gawa, Mafa LGA".
  const factor = mention === null || isPart ? 1 : mentionFactor(mention)
  const place = { name, lat, lng, state, lga, population: 0, kind: 'settlement' } as const
  const fitting = { ...context, lgas: new Set<Lga>(), containing: new Set<Lga>() }
  const score = withContext(SCORES.lga + stated + preposition + line, place, fitting) * factor
  const matched = mention ? matchedBy(mention, how, text) : outsideText(name)
  return {
    name,
    lat,
    lng,
    precision: 'lga',
    radius_km: lgaRadiusKm(lga),
    state,
    lga,
    score,
    matched,
    relation: 'at',
    stated: mention?.kind ?? null,
    certain: true,
    around: namedState(state, context),
  }
}

export function stateCandidate(state: State, mention: Mention | null, { text }: Options): PlaceCandidate {
  const { lat, lng, radiusKm } = stateMiddle(state)
  const score = SCORES.state + (mention?.kind === 'state' ? SCORES.statedArea : 0)
  const matched = mention ? matchedBy(mention, 'exact', text) : outsideText(state.name)
  const { name } = state
  return {
    name,
    lat,
    lng,
    precision: 'state',
    radius_km: radiusKm,
    state,
    lga: null,
    score,
    matched,
    relation: 'at',
    stated: mention?.kind ?? null,
    certain: true,
    around: null,
  }
}

function namedState(state: State, { states, likely }: Context): State | null {
  return states.has(state) || likely.has(state) ? state : null
}

export function matchedBy({ start, end }: Mention, how: Match, text: string): Matched {
  return { how, text: text.slice(start, end), start, end }
}

/** Given beside the text. */
function outsideText(name: string): Matched {
  return { how: 'exact', text: name, start: 0, end: 0 }
}
