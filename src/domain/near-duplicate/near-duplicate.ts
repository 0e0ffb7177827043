import type { Incident, Location, Source } from '../incident.ts'
import { type CasualtyFinding, compareCasualties, type Tolls } from './casualty-ranges.ts'
import {
  COMPARISONS,
  type Comparison,
  type Finding,
  MATCH_WEIGHTS,
  PRIOR_WEIGHT,
  probabilityOf,
} from './match-weights.ts'
import { compareNames, type NamedPlace, namedPlace } from './place-names.ts'
import { type Apart, apartWithinReach } from './reach.ts'
import { areRelated } from './related-types.ts'
import { compareWords, type WeighedWords, weighedWords } from './significant-words.ts'

/** The fields by which two incidents, or a located report and an incident, are compared. */
export interface Comparable
  extends Tolls,
    Pick<Incident, 'type' | 'state' | 'lga' | 'lat' | 'lng' | 'occurred_at' | 'time_precision' | 'summary'> {
  readonly location: Pick<Location, 'place' | 'precision' | 'radius_km'>
  readonly sources: readonly Pick<Source, 'url'>[]
}

/** From this score on, an editor should compare the two. */
export const MIN_DUPLICATE_SCORE = 0.5
const MAX_DUPLICATES = 5

const DAY = 86_400_000
/** Two reports of one spot differ by this much: the ends of a village, another gazetteer. */
const SAME_SPOT_KM = 5

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
  const findings = findingsOf(one, other)
  return findings === null ? null : scoreOf(findings)
}

/** Returns the score with its reasons. */
export function compareIncidents(one: Comparable, other: Comparable): Match | null {
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

/** Returns the likeliest, best first, at most five. `others` must not contain the candidate. */
export function possibleDuplicates<Other extends Comparable>(
  candidate: Comparable,
  others: Iterable<Other>,
  least: number = MIN_DUPLICATE_SCORE,
): (Match & { incident: Other })[] {
  const likely: { incident: Other; score: number }[] = []
  for (const incident of others) {
    const score = duplicateScore(candidate, incident)
    if (score !== null && score >= least) likely.push({ incident, score })
  }
  return likely
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_DUPLICATES)
    .map(({ incident }) => ({ incident, ...compareIncidents(candidate, incident)! }))
}

function findingsOf(one: Comparable, other: Comparable): Findings | null {
  const apart = apartWithinReach(one, other)
  if (apart === null) return null
  const [here, there] = [readTexts(one), readTexts(other)]
  return {
    place_name: compareNames(here.place, there.place),
    distance: compareDistance(apart, one, other),
    lga: compareLgas(one, other),
    time: compareTimes(apart),
    type: one.type === other.type ? 'same' : areRelated(one.type, other.type) ? 'related' : 'other',
    words: compareWords(here.words, there.words),
    casualties: compareCasualties(one, other) satisfies CasualtyFinding | null,
    source: haveSameSource(one, other) ? 'same' : null,
  }
}

function scoreOf(findings: Findings): number {
  let weight: number = PRIOR_WEIGHT
  for (const reason in findings) {
    const finding = findings[reason as Comparison]
    if (finding !== null) weight += weightOf(reason as Comparison, finding)
  }
  return Math.round(probabilityOf(weight) * 100) / 100
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

interface Texts {
  readonly place: NamedPlace
  readonly words: WeighedWords
}

/** Caches words: a page of the desk compares each of 200 reports with the same thousands. */
const knownTexts = new WeakMap<Comparable, Texts>()

function readTexts(comparable: Comparable): Texts {
  const known = knownTexts.get(comparable)
  if (known !== undefined) return known
  const { location, summary, state, lga } = comparable
  const areas = [state, lga ?? '']
  const texts = {
    place: namedPlace(location.place, summary, areas),
    words: weighedWords(summary, [...areas, location.place ?? '']),
  }
  knownTexts.set(comparable, texts)
  return texts
}
