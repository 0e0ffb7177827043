import { distanceKm } from '../lib/geometry.ts'
import { editDistance } from '../lib/similar-names.ts'
import type { Steps } from '../lib/steps.ts'
import { foldAccents } from '../lib/text.ts'
import {
  CASUALTIES,
  type Casualties,
  type Incident,
  type Location,
  type Precision,
  type Source,
  type TimePrecision,
} from './incident.ts'
import { categoryOf, type IncidentType } from './taxonomy.ts'

/** From this score on, an editor should compare the two. */
export const MIN_DUPLICATE_SCORE = 0.5
const MAX_DUPLICATES = 5
/** A comparison that reads both texts takes some ten microseconds. */
const COMPARISONS_PER_STEP = 32

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Two reports of one spot differ by this much: the ends of a village, another gazetteer. */
const SAME_SPOT_KM = 5

/**
 * The evidence for and against two reports being of one event, in powers of two (Fellegi and
 * Sunter's match weights): +1 doubles the odds, −1 halves them. Estimated on the even half of the
 * UCDP pairs of `bench/suites/near-duplicates.ts`, and reduced where comparisons overlap (name,
 * distance and LGA). A comparison that cannot be made has no weight.
 */
export const MATCH_WEIGHTS = {
  place_name: { same: 4, similar: 3.5, in_text: 2.5, different: -2.5 },
  distance: { same_spot: 1.5, possible: 0, apart: -3 },
  lga: { same: 1.5, different: -2.5 },
  time: { same_day: 2, next_day: 1, days_apart: -1, possible: 0 },
  type: { same: 0.5, related: 0, other: -2 },
  words: { most: 3, several: 2, some: 1, none: -0.5 },
  casualties: { agree: 2.5, close: 0, contradict: -2.5 },
  source: { same: 5 },
} as const satisfies Record<string, Record<string, number>>

/** The odds before any comparison: two reports nearby in place and time are seldom of one event. */
export const PRIOR_WEIGHT = -2

export type Comparison = keyof typeof MATCH_WEIGHTS
export const COMPARISONS = Object.keys(MATCH_WEIGHTS) as readonly Comparison[]
export type Finding<Name extends Comparison = Comparison> = Name extends Comparison
  ? keyof (typeof MATCH_WEIGHTS)[Name]
  : never

/** The fields by which two incidents, or a located report and an incident, are compared. */
export interface Comparable
  extends Pick<
    Incident,
    'type' | 'state' | 'lga' | 'lat' | 'lng' | 'occurred_at' | 'time_precision' | 'summary' | 'casualties'
  > {
  readonly location: Pick<Location, 'place' | 'precision' | 'radius_km'>
  readonly sources: readonly Pick<Source, 'url'>[]
  /** The figures of one event are a range. */
  readonly casualties_reported?: readonly Partial<Casualties>[] | null | undefined
}

/**
 * One side of a comparison. Its words and time are read once: a page of the desk compares each of
 * 200 reports with the same thousands. (A WeakMap from incidents to those made garbage collection
 * stop the process for 0.3 s.)
 */
export class Compared<Of extends Comparable = Comparable> {
  readonly incident: Of
  readonly occurredAt: number
  #place: NamedPlace | null = null
  #words: WeighedWords | null = null

  constructor(incident: Of) {
    this.incident = incident
    this.occurredAt = Date.parse(incident.occurred_at)
  }

  get place(): NamedPlace {
    const { location, summary, state, lga } = this.incident
    this.#place ??= namedPlace(location.place, summary, [state, lga ?? ''])
    return this.#place
  }

  get words(): WeighedWords {
    const { location, summary, state, lga } = this.incident
    this.#words ??= weighedWords(summary, [state, lga ?? '', location.place ?? ''])
    return this.#words
  }
}

/** One comparison that was made, its finding, and what it adds to the odds. */
export interface MatchReason {
  readonly reason: Comparison
  readonly finding: Finding
  readonly weight: number
}

export interface Match {
  /** The probability that the two are one event, 0 to 1. */
  readonly score: number
  /** Strongest first, those against it too. */
  readonly reasons: readonly MatchReason[]
}

type Findings = { readonly [Name in Comparison]: Finding<Name> | null }

/** Returns null if the two are too far apart in place or time to compare. */
export function duplicateScore(one: Comparable, other: Comparable): number | null {
  return scoreCompared(new Compared(one), new Compared(other))
}

/** Returns the score with its reasons. */
export function compareIncidents(one: Comparable, other: Comparable): Match | null {
  return match(new Compared(one), new Compared(other))
}

/** As `duplicateScore`, of two that are compared with many. */
export function scoreCompared(one: Compared, other: Compared): number | null {
  const findings = findingsOf(one, other)
  return findings === null ? null : scoreOf(findings)
}

function match(one: Compared, other: Compared): Match | null {
  const findings = findingsOf(one, other)
  if (findings === null) return null
  const reasons = COMPARISONS.flatMap((reason): MatchReason[] => {
    const finding = findings[reason]
    return finding === null ? [] : [{ reason, finding, weight: weightOf(reason, finding) }]
  })
  return {
    score: scoreOf(findings),
    reasons: reasons.sort((first, second) => Math.abs(second.weight) - Math.abs(first.weight)),
  }
}

/**
 * Returns the likeliest that are not dismissed, best first, at most five. `others` must not contain
 * the candidate.
 */
export function* possibleDuplicates<Other extends Comparable>(
  candidate: Compared,
  others: Iterable<Compared<Other>>,
  least: number = MIN_DUPLICATE_SCORE,
  isDismissed: (other: Other, match: Match) => boolean = () => false,
): Steps<(Match & { incident: Other })[]> {
  const likely: { other: Compared<Other>; score: number }[] = []
  let compared = 0
  for (const other of others) {
    const found = scoreCompared(candidate, other)
    if (found !== null && found >= least) likely.push({ other, score: found })
    if (++compared % COMPARISONS_PER_STEP === 0) yield
  }
  const found: (Match & { incident: Other })[] = []
  for (const { other } of likely.sort((one, another) => another.score - one.score)) {
    if (found.length === MAX_DUPLICATES) break
    const matched = match(candidate, other)!
    if (!isDismissed(other.incident, matched)) found.push({ incident: other.incident, ...matched })
  }
  return found
}

/**
 * The evidence for one event, in powers of two, before the prior: unlike the score, it has no
 * upper end.
 */
export function evidenceOf({ reasons }: Pick<Match, 'reasons'>): number {
  // Rounded: a sum in another order must not differ.
  return Math.round(reasons.reduce((sum, { weight }) => sum + weight, 0) * 1e6) / 1e6
}

function findingsOf(here: Compared, there: Compared): Findings | null {
  const [one, other] = [here.incident, there.incident]
  const apart = apartWithinReach(here, there)
  if (apart === null) return null
  return {
    place_name: compareNames(here.place, there.place),
    distance: compareDistance(apart, one, other),
    lga: compareLgas(one, other),
    time: compareTimes(apart),
    type: one.type === other.type ? 'same' : areRelated(one.type, other.type) ? 'related' : 'other',
    words: compareWords(here.words, there.words),
    casualties: compareCasualties(one, other),
    source: haveSameSource(one, other) ? 'same' : null,
  }
}

function scoreOf(findings: Findings): number {
  let weight: number = PRIOR_WEIGHT
  for (const reason in findings) {
    const finding = findings[reason as Comparison]
    if (finding !== null) weight += weightOf(reason as Comparison, finding)
  }
  return Math.round(100 / (1 + 2 ** -weight)) / 100
}

function weightOf(reason: Comparison, finding: Finding): number {
  return (MATCH_WEIGHTS[reason] as Record<string, number>)[finding]!
}

function compareDistance({ km, doubtKm }: Apart, one: Comparable, other: Comparable): Finding<'distance'> {
  if (km <= SAME_SPOT_KM && isSpot(one) && isSpot(other)) return 'same_spot'
  return km <= SAME_SPOT_KM + doubtKm ? 'possible' : 'apart'
}

function isSpot({ location: { precision } }: Comparable): boolean {
  return precision === 'exact' || precision === 'settlement'
}

function compareLgas(one: Comparable, other: Comparable): Finding<'lga'> | null {
  if (one.lga === null || other.lga === null) return one.state === other.state ? null : 'different'
  return one.lga === other.lga && one.state === other.state ? 'same' : 'different'
}

function compareTimes({ ms, doubtMs }: Apart): Finding<'time'> {
  if (doubtMs > DAY) return 'possible'
  if (ms < DAY) return 'same_day'
  return ms < 2 * DAY ? 'next_day' : 'days_apart'
}

function haveSameSource(one: Comparable, other: Comparable): boolean {
  return one.sources.some(({ url }) => url !== null && other.sources.some((source) => source.url === url))
}

export const MAX_DISTANCE_KM = 25
/** A little less than a degree of latitude is long, so that rounding leaves nothing out. */
const KM_PER_DEGREE = 110
export const MAX_TIME_APART_MS = 48 * HOUR

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

interface Apart {
  readonly km: number
  /** Sum of both radii: at this distance the two may be at one place. */
  readonly doubtKm: number
  readonly ms: number
  readonly doubtMs: number
}

/** Null if the two are too far apart in place or time to be one event. */
function apartWithinReach(here: Compared, there: Compared): Apart | null {
  const [one, other] = [here.incident, there.incident]
  const ms = Math.abs(here.occurredAt - there.occurredAt)
  // The less precise of the two decides: a time known to the day is some moment of that day.
  const doubtMs = Math.max(TIME_UNCERTAINTY_MS[one.time_precision], TIME_UNCERTAINTY_MS[other.time_precision])
  if (ms > MAX_TIME_APART_MS + doubtMs) return null
  const doubtKm = radiusKm(one) + radiusKm(other)
  // Most of some thousand others are too far north or south: they need no trigonometry.
  if (Math.abs(one.lat - other.lat) * KM_PER_DEGREE > MAX_DISTANCE_KM + doubtKm) return null
  const km = distanceKm(one.lat, one.lng, other.lat, other.lng)
  return km <= MAX_DISTANCE_KM + doubtKm ? { km, doubtKm, ms, doubtMs } : null
}

export function radiusKm({ location }: { readonly location: Pick<Location, 'precision' | 'radius_km'> }): number {
  return location.radius_km ?? LOCATION_UNCERTAINTY_KM[location.precision]
}

/** Comparable grow while a story is told: up to twice and a few more is still close. */
const CLOSE_FACTOR = 2
const CLOSE_DIFFERENCE = 4
/** A toll this many times the other's is of another event … */
const CONTRADICTING_FACTOR = 5
/** … if the difference is more than this. */
const CONTRADICTING_DIFFERENCE = 10

const TELLING_FIGURE = 5

/** The finding over the figures that both give; null if there is none. A contradiction decides. */
function compareCasualties(one: Comparable, other: Comparable): Finding<'casualties'> | null {
  let finding: Finding<'casualties'> | null = null
  for (const name of CASUALTIES) {
    const [here, there] = [rangeOf(one, name), rangeOf(other, name)]
    if (here === null || there === null) continue
    const found = compareRanges(here, there)
    if (found === 'contradict') return found
    if (found === 'agree' || finding === null) finding = found ?? finding
  }
  return finding
}

type Range = readonly [low: number, high: number]

function rangeOf({ casualties, casualties_reported }: Comparable, name: (typeof CASUALTIES)[number]): Range | null {
  const reported = (casualties_reported ?? []).map((each) => each[name])
  const known = [casualties[name], ...reported].filter((figure) => typeof figure === 'number')
  return known.length === 0 ? null : [Math.min(...known), Math.max(...known)]
}

/** Null between close and contradicting: it says nothing. */
function compareRanges(here: Range, there: Range): Finding<'casualties'> | null {
  const [lower, upper] = here[1] <= there[1] ? [here[1], there[0]] : [there[1], here[0]]
  // Half of all events have a toll of 0 to 4; an equal larger figure is seldom chance.
  if (upper <= lower) return lower < TELLING_FIGURE ? 'close' : 'agree'
  if (upper - lower <= CLOSE_DIFFERENCE || upper <= lower * CLOSE_FACTOR) return 'close'
  return upper - lower > CONTRADICTING_DIFFERENCE && upper > lower * CONTRADICTING_FACTOR ? 'contradict' : null
}

/**
 * Types that editors give to one event: each pair of a row is related, and each pair of a category.
 */
const RELATED: readonly (readonly IncidentType[])[] = [
  ['banditry', 'kidnapping', 'mass_abduction', 'hostage_taking', 'cattle_rustling', 'highway_robbery', 'homicide'],
  ['banditry', 'communal_clash', 'farmer_herder_clash', 'cattle_rustling'],
  ['insurgent_attack', 'mass_abduction', 'kidnapping', 'homicide', 'infrastructure_attack'],
  ['military_operation', 'hostage_release', 'banditry', 'insurgent_attack'],
  ['separatist_violence', 'attack_on_security_forces', 'homicide', 'protest'],
  ['cult_clash', 'gang_violence', 'homicide', 'armed_robbery', 'assassination'],
  ['political_violence', 'riot', 'protest', 'assassination', 'homicide'],
  ['mob_violence', 'homicide', 'communal_clash', 'sectarian_violence', 'riot'],
  ['explosion', 'pipeline_vandalism', 'infrastructure_attack'],
  ['piracy', 'kidnapping', 'hostage_taking', 'armed_robbery'],
]

const PAIRS = new Set(RELATED.flatMap((row) => row.flatMap((one) => row.map((other) => `${one} ${other}`))))

function areRelated(one: IncidentType, other: IncidentType): boolean {
  return categoryOf(one) === categoryOf(other) || PAIRS.has(`${one} ${other}`)
}

/** Say nothing about which place: "Dansadau village, near Maru" is "Dansadau Maru". */
const GENERIC =
  /\b(?:town|village|city|community|area|ward|district|lga|local government|state|camp|near|around|outside|the|of|in)\b/g
const MIN_LENGTH = 3
/** One letter in four may differ: Gidan Kwano, Gidan Kwanno. */
const LETTERS_FOR_ONE_EDIT = 4

type NameFinding = 'same' | 'similar' | 'in_text' | 'different'

/** A place by name, and a text that may name it. */
export interface NamedPlace {
  /**
   * Letters and digits only: "Gonin-Gora" and "Gonin Gora" are "goningora"; '' if there is no name.
   */
  readonly name: string
  /** Whether the name is also that of the LGA or state, which any text about the area contains. */
  readonly isArea: boolean
  /**
   * The summary in the same form, with the ends of words marked, so that "Jos" is not in "Joseph".
   */
  readonly text: string
}

export function namedPlace(place: string | null, summary: string, areas: readonly string[]): NamedPlace {
  const name = lettersOf(place ?? '')
  return { name, isArea: areas.some((area) => lettersOf(area) === name), text: markedLetters(summary) }
}

/** Null if at least one has no name and the other's text does not name it. */
export function compareNames(one: NamedPlace, other: NamedPlace): NameFinding | null {
  if (one.name !== '' && other.name !== '') {
    if (one.name === other.name) return 'same'
    if (areSimilar(one.name, other.name)) return 'similar'
  }
  if (tells(one, other) || tells(other, one)) return 'in_text'
  return one.name !== '' && other.name !== '' ? 'different' : null
}

function lettersOf(text: string): string {
  return foldAccents(text)
    .replace(GENERIC, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** "Bandits at Gonin-Gora" is "|bandits|at|gonin|gora|". */
function markedLetters(text: string): string {
  return `|${(foldAccents(text).match(/[\p{L}\p{N}]+/gu) ?? []).join('|')}|`
}

function areSimilar(one: string, other: string): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  if (shorter.length < MIN_LENGTH) return false
  const edits = Math.floor(shorter.length / LETTERS_FOR_ONE_EDIT)
  return longer.startsWith(shorter) || (edits > 0 && editDistance(one, other, edits) <= edits)
}

function tells({ text }: NamedPlace, { name, isArea }: NamedPlace): boolean {
  return !isArea && names(text, name)
}

/** Whether the text has the name, however it separates the words. */
function names(text: string, name: string): boolean {
  if (name.length < MIN_LENGTH) return false
  for (let from = text.indexOf(`|${name[0]}`); from >= 0; from = text.indexOf(`|${name[0]}`, from + 1)) {
    let letter = 0
    let at = from
    while (at < text.length && letter < name.length) {
      if (text[at] === '|') at++
      else if (text[at] === name[letter]) {
        at++
        letter++
      } else break
    }
    if (letter === name.length && text[at] === '|') return true
  }
  return false
}

/** Words of any summary: "State" and "LGA" are here, the names of states and LGAs are not. */
const STOP_WORDS = new Set(
  `a about after again all along also among an and another any are area around as at be been before being between both
  but by council did district do during each for from had has have he her his in including into is it its lga local
  government more most near no not of off on one or other others our out over said saying says she since so some state
  than that the their them then there these they this those through to under until up was were when where which while
  who whom will with within would report reported reportedly reports according alleged allegedly suspected several
  people persons person incident night morning evening afternoon day today yesterday monday tuesday wednesday thursday
  friday saturday sunday`.split(/\s+/),
)

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const DIGITS = new Map(NUMBERS.map((word, number) => [word, String(number)]))

const ENDING = /(?:ing|ed|s)$/
const MIN_LENGTH_WITH_ENDING = 5

/**
 * Stems that many reports of violence contain. They are what two different attacks share: in Borno,
 * "Boko Haram kill soldiers" says nothing about which attack.
 */
const COMMON_STEMS = new Set(
  `abduct against ahli arm army attack bandit best bokoharam boko bomb bomber border burn camp civilian clash claim community
  confirm convoy crisi dead death destroy die displac estimate explosion explod farmer fight fighter fighting fire
  force fresh fulani gang govt group gun gunmen gunman haram herdsmen herder herdsman hit home hou house hundr injur
  insurgent insurgency invad islam islamic islamist iswap jamaatu jihad jihadist jtf kidnapp kidnap kill kill killer
  killing lead leav least leader liddaawati loot man map mass member men militant military milit nigeria nigerian new
  northern northeast northeastern north officer ongo operation patrol police policemen raid ransom religiou repel rescu
  resident road rob robber sect secur security shoot shot shoott slain soldier south southern sponsor state strike
  suicide sunna suspect terror terrorist terrorism thousand toll town traveller traveler troop ucdp update urge victim
  village villager violence wal war weapon witness women wound year youth`.split(/\s+/),
)

/** The weight of a common word; any other weighs 1. */
const COMMON_WEIGHT = 0.05

/**
 * Returns the distinguishing words: lower case, no accents, numbers as digits, common endings
 * removed. Short words stay: Jos, Oyo and Aba are places.
 */
export function significantWords(summary: string): Set<string> {
  const words = foldAccents(summary).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem))
}

function stem(word: string): string {
  return DIGITS.get(word) ?? (word.length < MIN_LENGTH_WITH_ENDING ? word : word.replace(ENDING, ''))
}

/** The words of a summary that tell it from others. */
export interface WeighedWords {
  readonly weights: ReadonlyMap<string, number>
  readonly sum: number
}

/** `areas` are compared on their own: their names count as common words. */
export function weighedWords(summary: string, areas: readonly string[]): WeighedWords {
  const areaWords = significantWords(areas.join(' '))
  const weights = new Map<string, number>()
  let sum = 0
  for (const word of significantWords(summary)) {
    const common = COMMON_STEMS.has(word) || areaWords.has(word) || /^\d+$/.test(word)
    const weight = common ? COMMON_WEIGHT : 1
    weights.set(word, weight)
    sum += weight
  }
  return { weights, sum }
}

type WordFinding = 'most' | 'several' | 'some' | 'none'

/**
 * Null if one has no words. "Gunmen attack village" and the same again are `none`: they share
 * nothing rare.
 */
export function compareWords(one: WeighedWords, other: WeighedWords): WordFinding | null {
  const [fewer, more] = one.weights.size <= other.weights.size ? [one, other] : [other, one]
  if (fewer.weights.size === 0) return null
  let shared = 0
  for (const [word, weight] of fewer.weights) {
    const there = more.weights.get(word)
    if (there !== undefined) shared += Math.min(weight, there)
  }
  const share = (2 * shared) / (one.sum + other.sum)
  if (share >= 0.6 && shared >= 3) return 'most'
  if (share >= 0.3 && shared >= 2) return 'several'
  return shared >= 1 ? 'some' : 'none'
}
