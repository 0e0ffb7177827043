import type { FoundPlace, Lga, Meaning, State } from '../../domain/places.ts'
import { distanceKm } from '../../lib/geometry.ts'
import { builtInGazetteer } from '../built-in-places.ts'
import type { Gazetteer, GazetteerPlace } from '../gazetteer.ts'
import { lgaRadiusKm, lgasLike, lgasNamed, stateMiddle, stateNamed } from '../places.ts'
import {
  contextOf,
  HIGHEST,
  type KeyedPlace,
  lgaCandidate,
  type MatchedSettlement,
  type Options,
  type PlaceCandidate,
  type PlaceScope,
  SCORES,
  settlementCandidate,
  stateCandidate,
  withContext,
} from './candidates.ts'
import { findMentions, type Mention } from './mentions.ts'

const MAX_TEXT_LENGTH = 400
const MAX_CANDIDATES = 10
const CAPITAL = 100_000
const CITY = 200_000
/** Smaller places need a word that says so: "in", "village", the state after a comma. */
const WELL_KNOWN = 20_000

export interface FindOptions {
  readonly gazetteer?: Gazetteer
  /** Characters that are read. */
  readonly maxLength?: number
  /** States in which the group that a text names is active; decides between namesakes only. */
  readonly likelyStates?: Iterable<State>
}

/** Finds the places that a text may mean, best first. Keeps vague ones: their precision says so. */
export function findPlace(text: string, within: PlaceScope = {}, options: FindOptions = {}): PlaceCandidate[] {
  const gazetteer = options.gazetteer ?? builtInGazetteer()
  const read = text.slice(0, options.maxLength ?? MAX_TEXT_LENGTH)
  const { mentions } = findMentions(read, (key) => isName(key, gazetteer))
  const citiesNamed = (key: string): GazetteerPlace[] =>
    gazetteer.named(key).filter(({ population }) => population >= CITY)
  const context = contextOf(read, mentions, within, options.likelyStates ?? [], citiesNamed)
  const settlements = mentions.map((mention) => settlementsOf(mention, gazetteer))
  const alone = mentions.map((mention) => isAlone(read, mention))
  const unknownTown = mentions.some((mention, at) => isUnknownTown(mention, mentions[at + 1]))
  const unknownVillage = mentions.some(
    ({ known, kind, relation }, at) => !known && (kind === 'village' || alone[at]) && relation !== 'away',
  )
  const statedAreas = new Set(mentions.filter(isStatedArea).map(({ key }) => key))
  const seats = new Set(mentions.filter((mention, at) => isSeat(mention, mentions[at + 1])).map(({ start }) => start))
  const found: Options = { text: read, context, unknownTown, unknownVillage, statedAreas, seats }
  const others = settlements
    .flatMap((each, at) => each.slice(0, 8).map(({ place }) => ({ key: mentions[at]!.key, place })))
    .slice(0, 80)
  const candidates = mentions.flatMap((mention, at) => {
    const next = mentions[at + 1]
    const cued =
      alone[at] ||
      mention.kind !== null ||
      mention.afterPreposition ||
      mention.later ||
      mention.relation !== 'at' ||
      next?.later === true
    const meant = settlements[at]!.filter(
      ({ place }) => cued || place.population >= WELL_KNOWN || lgasNamed(mention.key).length > 0,
    )
    return candidatesOf(mention, meant, others, next, found, gazetteer)
  })
  candidates.push(...corridorsIn(mentions, settlements, found))
  for (const lga of context.lgas) if (within.lga !== undefined) candidates.push(lgaCandidate(lga, null, found))
  if (within.state !== undefined)
    for (const state of context.states) candidates.push(stateCandidate(state, null, found))
  return best(candidates.filter((candidate) => fits(candidate, within)))
}

function settlementsOf({ key, known, kind }: Mention, gazetteer: Gazetteer): MatchedSettlement[] {
  if (!known || kind === 'state' || (kind === 'lga' && lgasNamed(key).length > 0)) return []
  const state = stateNamed(key)
  // A hamlet called Borno is hardly ever meant; the city of Kano may be.
  const isMeant = (place: GazetteerPlace): boolean =>
    state === null || (place.state === state && place.population >= CAPITAL && kind !== 'village')
  const exact = gazetteer.named(key).filter(isMeant)
  const alias = gazetteer.alsoCalled(key).filter((place) => isMeant(place) && !exact.includes(place))
  const all = [
    ...exact.map((place) => ({ place, how: 'exact' as const })),
    ...alias.map((place) => ({ place, how: 'alias' as const })),
  ]
  return all.sort((one, other) => other.place.population - one.place.population)
}

function isSeat({ key, kind, relation }: Mention, next: Mention | undefined): boolean {
  return kind === null && relation === 'at' && next?.kind === 'lga' && next.key === key
}

function isStatedArea({ kind, relation }: Mention): boolean {
  return kind === 'lga' || kind === 'road' || relation === 'between'
}

/** The name is all that its sentence or line has. */
function isAlone(text: string, { start, end }: Mention): boolean {
  return (
    /(?:^|[.;:!?\n(])\s*$/.test(text.slice(Math.max(0, start - 4), start)) &&
    /^\s*(?:$|[.;!?\n(,/])/.test(text.slice(end, end + 4))
  )
}

/**
 * A name that is stated to be a town, or is followed by the area that contains it, but is in no
 * gazetteer.
 */
function isUnknownTown({ known, kind, relation }: Mention, next: Mention | undefined): boolean {
  return (
    !known && relation !== 'away' && (kind === 'town' || kind === 'village' || (kind === null && next?.later === true))
  )
}

function candidatesOf(
  mention: Mention,
  settlements: readonly MatchedSettlement[],
  others: readonly KeyedPlace[],
  next: Mention | undefined,
  found: Options,
  gazetteer: Gazetteer,
): PlaceCandidate[] {
  const { key, known, kind } = mention
  if (!known) return [...similarCandidates(mention, next, found, gazetteer), ...similarLgas(mention, found)]
  const candidates = settlements.map(({ place, how }) => settlementCandidate(place, mention, how, others, found))
  const { states } = found.context
  if (kind !== 'state') {
    for (const lga of lgasNamed(key)) {
      if (states.size === 0 || states.has(lga.state)) candidates.push(lgaCandidate(lga, mention, found))
    }
  }
  const state = kind === 'lga' || mention.relation === 'road' ? null : stateNamed(key)
  if (state) candidates.push(stateCandidate(state, mention, found))
  return candidates
}

/** Similar letters count only where the text says that it is a place. */
function similarCandidates(
  mention: Mention,
  next: Mention | undefined,
  found: Options,
  gazetteer: Gazetteer,
): PlaceCandidate[] {
  const { states, likely, lgas } = found.context
  const isOnlyName = mention.start === 0 && mention.end >= found.text.trimEnd().length
  const stated =
    mention.kind !== null || next?.later === true || mention.afterPreposition || isOnlyName || lgas.size > 0
  if (!stated || mention.key.length < 4) return []
  const within = states.size > 0 ? states : likely.size > 0 ? likely : null
  if (within === null && !isOnlyName && mention.kind === null) return []
  return gazetteer
    .similar(mention.key, within)
    .slice(0, MAX_CANDIDATES)
    .map((place) => settlementCandidate(place, mention, 'similar', [], found))
}

/** "Kakawa LGA" is Kukawa, where the text leaves only one that is similar. */
function similarLgas(mention: Mention, found: Options): PlaceCandidate[] {
  if (mention.kind !== 'lga') return []
  const similar = lgasLike(mention.key, found.context.states, found.context.likely)
  return similar.length === 1 ? [lgaCandidate(similar[0]!, mention, found, 'similar')] : []
}

function isName(key: string, gazetteer: Gazetteer): boolean {
  if (gazetteer.named(key).length > 0 || gazetteer.alsoCalled(key).length > 0) return true
  return stateNamed(key) !== null || lgasNamed(key).length > 0
}

function fits({ state, lga }: PlaceCandidate, within: PlaceScope): boolean {
  if (within.state !== undefined && stateNamed(within.state) !== state) return false
  return within.lga === undefined || (lga !== null && lgasNamed(within.lga).includes(lga))
}

function best(candidates: readonly PlaceCandidate[]): PlaceCandidate[] {
  const unique = new Map<string, PlaceCandidate>()
  for (const candidate of candidates) {
    const key = `${candidate.precision} ${candidate.name} ${candidate.lat} ${candidate.lng}`
    const score = Math.min(1, Math.max(0, Math.round((candidate.score / HIGHEST) * 1000) / 1000))
    if ((unique.get(key)?.score ?? -1) < score) unique.set(key, { ...candidate, score })
  }
  return [...unique.values()].sort((one, other) => other.score - one.score).slice(0, MAX_CANDIDATES)
}

const MAX_LENGTH_KM = 300
/** Shorter ones are known to the size of an LGA. */
const SHORT_RADIUS_KM = 30
const MAX_NAMESAKES = 8
/** Roads are named after towns, not after hamlets. */
const TOWN = 10_000

/** Roads between two towns, and "between A and B": somewhere along the line that joins them. */
export function corridorsIn(
  mentions: readonly Mention[],
  settlements: readonly (readonly MatchedSettlement[])[],
  { text, context }: Options,
): PlaceCandidate[] {
  const found: PlaceCandidate[] = []
  const weight = (place: GazetteerPlace): number =>
    withContext(1, place, context) * (place.population >= TOWN || place.lga?.name === place.name ? 2 : 1)
  for (const [at, mention] of mentions.entries()) {
    const next = mentions[at + 1]
    if (!next || next.relation !== mention.relation || (mention.relation !== 'road' && mention.relation !== 'between'))
      continue
    let shortest: [GazetteerPlace, GazetteerPlace, number] | null = null
    for (const { place: one } of settlements[at]!.slice(0, MAX_NAMESAKES)) {
      for (const { place: other } of settlements[at + 1]!.slice(0, MAX_NAMESAKES)) {
        const km = distanceKm(one.lat, one.lng, other.lat, other.lng)
        const weighted = km / weight(one) / weight(other)
        if (km > 0 && km <= MAX_LENGTH_KM && (shortest === null || weighted < shortest[2]))
          shortest = [one, other, weighted]
      }
    }
    if (shortest === null) continue
    const [one, other] = shortest
    const end = context.states.size > 0 && !context.states.has(one.state) ? other : one
    const radius_km = Math.round(distanceKm(one.lat, one.lng, other.lat, other.lng) / 2 + 5)
    const { start } = mention
    found.push({
      name: mention.relation === 'road' ? `${one.name}–${other.name} road` : `between ${one.name} and ${other.name}`,
      lat: (one.lat + other.lat) / 2,
      lng: (one.lng + other.lng) / 2,
      precision: radius_km <= SHORT_RADIUS_KM ? 'lga' : 'state',
      radius_km,
      state: end.state,
      lga: one.lga === other.lga ? one.lga : null,
      score: withContext(SCORES.corridor, end, context),
      matched: { how: 'exact', text: text.slice(start, next.end), start, end: next.end },
      relation: mention.relation,
      stated: 'road',
      // Of a road through two states, the text must say which.
      certain: one.state === other.state || context.states.size === 1,
      around: null,
    })
  }
  return found
}

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
