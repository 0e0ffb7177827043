import type { Steps } from '../../lib/async/steps.ts'
import { type CasualtyFinding, compareCasualties } from './casualty-ranges.ts'
import { type Comparable, Compared } from './compared.ts'
import {
  COMPARISONS,
  type Comparison,
  type Finding,
  MATCH_WEIGHTS,
  PRIOR_WEIGHT,
  probabilityOf,
} from './match-weights.ts'
import { compareNames } from './place-names.ts'
import { type Apart, apartWithinReach } from './reach.ts'
import { areRelated } from './related-types.ts'
import { compareWords } from './significant-words.ts'

/** From this score on, an editor should compare the two. */
export const MIN_DUPLICATE_SCORE = 0.5
const MAX_DUPLICATES = 5
/** A comparison that reads both texts takes some ten microseconds. */
const COMPARISONS_PER_STEP = 32

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
 * How much speaks for one event, in powers of two, before the prior: unlike the score, it has no
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
