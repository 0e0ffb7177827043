export const YEARLY_GROWTH = 1.13

/** Weights by month, January first: the dry season has more incidents. */
export const MONTHS = [1.1, 1.08, 1.12, 1.1, 1.06, 0.98, 0.9, 0.86, 0.88, 0.94, 0.98, 1.04] as const

/** Weights by weekday, Sunday first: fewer editors work at weekends. */
export const WEEKDAYS = [0.78, 1.1, 1.08, 1.05, 1.05, 1.04, 0.9] as const

/** Weights of publication by hour, in Nigerian time. */
export const DESK_HOURS = [
  0.3, 0.2, 0.15, 0.15, 0.25, 0.5, 0.9, 1.3, 1.7, 1.8, 1.7, 1.6, 1.5, 1.4, 1.5, 1.6, 1.6, 1.5, 1.3, 1.1, 0.9, 0.7, 0.5,
  0.4,
] as const

/** Weights of occurrence by hour, in Nigerian time. */
export const HOURS = {
  night: [9, 9, 8, 6, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 6, 8, 9, 10, 10],
  dusk: [2, 2, 1, 1, 2, 4, 5, 4, 3, 3, 3, 3, 3, 3, 4, 5, 7, 9, 10, 9, 7, 5, 3, 2],
  daylight: [0, 0, 0, 0, 0, 1, 3, 6, 9, 10, 10, 9, 8, 7, 7, 6, 5, 3, 2, 1, 0, 0, 0, 0],
  evening: [3, 2, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 10, 10, 9, 8, 6, 4],
  any: [4, 4, 3, 3, 4, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 4],
} as const satisfies Record<string, readonly number[]>
export type HoursName = keyof typeof HOURS
