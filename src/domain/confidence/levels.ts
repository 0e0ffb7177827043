/** The confidence in words, from the least; docs/confidence.md says what each means. */
export const CONFIDENCE_LEVELS = ['unconfirmed', 'likely', 'well_supported'] as const
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number]

/**
 * The least confidence of each level. A single source that is not official reaches 0.58 at most,
 * with the exact place and minute, and a single official source 0.66.
 */
export const LEVEL_THRESHOLDS = {
  unconfirmed: 0,
  likely: 0.6,
  well_supported: 0.75,
} as const satisfies Record<ConfidenceLevel, number>

export function confidenceLevel(confidence: number): ConfidenceLevel {
  return CONFIDENCE_LEVELS.findLast((level) => confidence >= LEVEL_THRESHOLDS[level]) ?? 'unconfirmed'
}
