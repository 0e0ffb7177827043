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

/** From a sum of weights to a probability. */
export function probabilityOf(weight: number): number {
  return 1 / (1 + 2 ** -weight)
}
