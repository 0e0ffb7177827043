import type { Comparison, Finding, MatchReason } from '../../../src/domain/near-duplicates.ts'

/** What each comparison found, in words. Null: it says nothing for or against. */
const FOUND: { readonly [Name in Comparison]: Readonly<Record<Finding<Name>, string | null>> } = {
  place_name: {
    same: 'the same place name',
    similar: 'similar place names',
    in_text: 'one names the other’s place',
    different: 'different place names',
  },
  distance: { same_spot: 'the same spot', possible: null, apart: 'places far apart' },
  lga: { same: 'the same LGA', different: 'different LGAs' },
  time: { same_day: 'the same day', next_day: 'one day apart', days_apart: 'days apart', possible: null },
  type: { same: 'the same type', related: null, other: 'another type' },
  words: {
    most: 'mostly the same words',
    several: 'many words alike',
    some: 'some words alike',
    none: 'no word alike',
  },
  casualties: { agree: 'the same casualties', close: null, contradict: 'casualties that contradict' },
  source: { same: 'the same source' },
}

export interface MatchWords {
  readonly for: readonly string[]
  readonly against: readonly string[]
}

/** What speaks for two reports being of one incident, and what against it; the strongest first. */
export function matchWords(reasons: readonly MatchReason[]): MatchWords {
  const words = (sign: 1 | -1) =>
    reasons
      .filter(({ weight }) => weight * sign > 0)
      .map(({ reason, finding }) => (FOUND[reason] as Readonly<Record<string, string | null>>)[finding] ?? null)
      .filter((word) => word !== null)
  return { for: words(1), against: words(-1) }
}
