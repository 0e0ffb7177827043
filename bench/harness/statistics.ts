export function median(values: Iterable<number>): number {
  return percentile(values, 0.5)
}

/** Returns the percentile by nearest rank. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** Formats the minimum and maximum: the closer they are, the more reliable is the figure. */
export function spread(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`
}

/** Formats a number as 12,345. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Returns the duration in milliseconds. */
export function timed(work: () => unknown): number {
  const started = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - started) / 1e6
}
