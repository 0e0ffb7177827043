const DAY = 24 * 3_600_000

/**
 * Later reports are left out: a recent period is compared with what is known after so many days.
 */
export const LONGEST_DELAY_DAYS = 60
/** The days over which delays are measured, beyond the longest. */
export const MEASURED_DAYS = 365
/** Fewer incidents say too little about delays. */
const LEAST_INCIDENTS = 50
/** A period with a smaller share of its incidents is called incomplete. */
export const COMPLETE_SHARE = 0.95

/** The time that incidents take from happening to being published. */
export interface ReportingDelay {
  /** The incidents measured. */
  readonly incidents: number
  /** The share that is published within so many days, by days; the last is 1. */
  readonly shareWithin: readonly number[]
  /** Half are published within this many days, and nine in ten. */
  readonly medianDays: number
  readonly ninetiethDays: number
}

/**
 * `byDays` counts incidents by whole days of delay, up to the longest; null if there are too few.
 */
export function reportingDelayFrom(byDays: ArrayLike<number>): ReportingDelay | null {
  const counts = Array.from({ length: LONGEST_DELAY_DAYS + 1 }, (_, days) => byDays[days] ?? 0)
  const incidents = counts.reduce((sum, count) => sum + count, 0)
  if (incidents < LEAST_INCIDENTS) return null
  let sum = 0
  const shareWithin = counts.map((count) => {
    sum += count
    return sum / incidents
  })
  const daysFor = (share: number) => shareWithin.findIndex((within) => within >= share)
  return { incidents, shareWithin, medianDays: daysFor(0.5), ninetiethDays: daysFor(0.9) }
}

/**
 * Estimates the share of a period's incidents that is published by now, if they are spread evenly
 * over its days. Days that are not over count as nothing; the share of a day that began `n` days
 * ago is what is published within `n − 1` days. Without a measured delay, null once the period is
 * over.
 */
export function completenessOf(
  { start, end }: { readonly start: number; readonly end: number },
  now: number,
  delay: ReportingDelay | null,
): number | null {
  const days = Math.round((end - start) / DAY)
  if (delay === null && now >= end) return null
  let sum = 0
  for (let day = 0; day < days; day++) {
    const age = Math.floor((now - (start + day * DAY)) / DAY)
    if (age < 1) break
    sum += delay === null ? 1 : delay.shareWithin[Math.min(age - 1, LONGEST_DELAY_DAYS)]!
  }
  return sum / days
}
