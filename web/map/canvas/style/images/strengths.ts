/** The strength of a mark by the age of its newest incident: old, middle, recent. */
export const STRENGTHS = [0.4, 0.7, 1] as const
