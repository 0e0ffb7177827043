import type { Precision } from '../../domain/incident.ts'
import type { Lga, Match, Relation, State } from '../../domain/places.ts'
import { distanceKm } from '../../lib/geometry.ts'
import { type GazetteerPlace, POINT_KINDS, USUAL_RADIUS_KM } from '../gazetteer.ts'
import { lgaRadiusKm, lgasNamed, places, stateMiddle, stateNamed } from '../places.ts'
import type { Mention } from './mentions.ts'

export interface Matched {
  readonly how: Match
  /** The words of the text, and where they stand. */
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface PlaceCandidate {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  readonly radius_km: number
  readonly state: State
  readonly lga: Lga | null
  /** From 0 to 1; compares candidates of the same text only. */
  readonly score: number
  readonly matched: Matched
  /** "near", "between" and "road" are wider than the place they name. */
  readonly relation: Relation
  /** The kind that the text states. */
  readonly stated: Mention['kind']
  /** A town that is known, or a hamlet whose LGA or neighbours the text names as well. */
  readonly certain: boolean
  /**
   * The LGA or state around it that the text names as well, or where the group that it names is
   * active.
   */
  readonly around: Lga | State | null
}

/** The parts that all candidates of one text share. */
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
   * Positions at which a name stands right before the LGA of the same name, "Gubio, Gubio LGA": it
   * is the town.
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

/** Restricts the search to a state or LGA, by name, code or alias. */
export interface PlaceScope {
  readonly state?: string
  readonly lga?: string
}

/** The states and LGAs that a text names: they decide between namesakes. */
export interface Context {
  readonly states: ReadonlySet<State>
  /** Stated as such: "Gwoza LGA". */
  readonly lgas: ReadonlySet<Lga>
  /** Named after another place: "Kumshe, Bama". */
  readonly containing: ReadonlySet<Lga>
  /** Of the regions that the text names, or of the group that it names; empty where none. */
  readonly likely: ReadonlySet<State>
}

export function contextOf(
  text: string,
  mentions: readonly Mention[],
  within: PlaceScope,
  likelyStates: Iterable<State>,
  citiesNamed: (key: string) => readonly GazetteerPlace[],
): Context {
  const states = new Set<State>()
  const given = within.state === undefined ? null : stateNamed(within.state)
  if (given) states.add(given)
  // A bare name that is only a state's is one: "in Borno"; "Kano" may be the city, in that state.
  const isBareState = ({ kind, relation }: Mention): boolean => kind !== 'lga' && kind !== 'road' && relation !== 'road'
  // A headline may name a city of elsewhere; a sentence that only says where decides.
  const hasLocationLine = mentions.some(({ known, locationLine }) => known && locationLine)
  for (const mention of mentions) {
    if (!mention.known || !(mention.kind === 'state' || isBareState(mention))) continue
    const state = stateNamed(mention.key)
    if (state) states.add(state)
    // A city states its state as well.
    else if (mention.relation === 'at' && (!hasLocationLine || mention.locationLine))
      for (const city of citiesNamed(mention.key)) states.add(city.state)
  }
  const fitting = (key: string): Lga[] => lgasNamed(key).filter(({ state }) => states.size === 0 || states.has(state))
  const lgas = new Set<Lga>()
  const containing = new Set<Lga>()
  for (const { key, known, kind, later } of mentions) {
    if (!known || (kind !== 'lga' && !later)) continue
    const inStates = fitting(key)
    const found = inStates.length > 0 || kind !== 'lga' ? inStates : lgasNamed(key)
    if (found.length === 1) (kind === 'lga' ? lgas : containing).add(found[0]!)
  }
  // An LGA whose name is unique states its state as well.
  for (const { state } of lgas) states.add(state)
  if (within.lga !== undefined) for (const lga of fitting(within.lga)) lgas.add(lga)
  const likely = statesOfRegions(text)
  for (const state of likelyStates) likely.add(state)
  // A road is named after a town at its end: what lies along it is near that town.
  for (const { key, known, relation } of mentions) {
    const ends = known && relation === 'road' ? lgasNamed(key) : []
    if (ends.length === 1) likely.add(ends[0]!.state)
  }
  return { states, lgas, containing, likely }
}

/** Parts of the country as news names them: they exclude states, and are no place themselves. */
const REGIONS: readonly (readonly [words: RegExp, states: string])[] = [
  [/\b(north[- ]?east(ern)?|ne nigeria)\b/gi, 'BO YO AD TA BA GO'],
  [/\b(north[- ]?west(ern)?|nw nigeria)\b/gi, 'KD KN KT KE SO ZA JI'],
  [/\b(north[- ]central|middle[- ]belt|central nigeria)\b/gi, 'BE KO KW NA NI PL FC'],
  [/\b(south[- ]?east(ern)?|se nigeria|biafran?)\b/gi, 'AB AN EB EN IM'],
  [/\b(south[- ]?west(ern)?|sw nigeria)\b/gi, 'EK LA OG ON OS OY'],
  [/\b(south[- ]south|niger delta)\b/gi, 'AK BY CR DE ED RI'],
  [/\bsouthern kaduna\b/gi, 'KD'],
]

const byCode = new Map(places.states.map((state) => [state.code, state]))
const regions = REGIONS.map(([words, states]) => {
  return { words, states: states.split(' ').map((code) => byCode.get(`NG-${code}`)!) }
})

/** The states of the regions that a text names; empty where it names none. */
export function statesOfRegions(text: string): Set<State> {
  const found = new Set<State>()
  for (const { words, states } of regions) {
    words.lastIndex = 0
    if (words.test(text)) for (const state of states) found.add(state)
  }
  return found
}
