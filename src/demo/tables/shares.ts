/** Shares of incidents by number of sources. */
export const SOURCE_COUNTS = [
  [1, 0.46],
  [2, 0.36],
  [3, 0.18],
] as const

export const PRECISION_SHARES = [
  ['settlement', 0.5],
  ['lga', 0.3],
  ['exact', 0.14],
  ['state', 0.06],
] as const

export const TIME_PRECISION_SHARES = [
  ['day', 0.42],
  ['hour', 0.37],
  ['exact', 0.18],
  ['week', 0.03],
] as const
