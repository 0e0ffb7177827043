export function median(values: Iterable<number>): number {
  return percentile(values, 0.5)
}

/** The value below which that share of all values lies, by nearest rank. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** The smallest and the largest, as text: how far the rounds lie apart is how far a figure can be trusted. */
export function spread(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)}`
}

/** As people write it: 12,345. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** In milliseconds. */
export function timed(work: () => unknown): number {
  const started = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - started) / 1e6
}
