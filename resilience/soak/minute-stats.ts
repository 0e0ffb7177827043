import type { ProcessUsage } from '../harness/process-usage.ts'

export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** What was observed in one minute; `cpu` is for each of its requests. */
export interface Minute extends ProcessUsage {
  readonly requests: number
  readonly latencies: ReadonlyMap<string, Latency>
}

/** By what the service had taken at its beginning and at its end, and how long each thing took. */
export function minuteOf(
  before: ProcessUsage,
  after: ProcessUsage,
  durations: ReadonlyMap<string, readonly number[]>,
): Minute {
  const latencies = new Map([...durations].map(([kind, all]) => [kind, latencyOf(all)]))
  const requests = durations.values().reduce((sum, { length }) => sum + length, 0)
  return {
    ...after,
    cpu: (after.cpu - before.cpu) / requests,
    waited: after.waited - before.waited,
    requests,
    latencies,
  }
}

function latencyOf(durations: readonly number[]): Latency {
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50: at(0.5), p99: at(0.99) }
}

const MILLION = 1_000_000
const NUMBER_WIDTH = 7
const LATENCY_WIDTH = 12

export function headingOf(kinds: readonly string[]): string {
  const numbers = ['minute', 'RSS MB', 'used MB', 'asked', 'CPU ms', 'waits s'].map((name) =>
    name.padStart(NUMBER_WIDTH),
  )
  return [...numbers, ...kinds.map((kind) => kind.padStart(LATENCY_WIDTH))].join(' ')
}

/** One line of the table; of each kind p50/p99 in milliseconds. */
export function lineOf(number: number, minute: Minute, kinds: readonly string[]): string {
  const { resident, used, requests, cpu, waited, latencies } = minute
  const numbers = [
    number,
    (resident / MILLION).toFixed(0),
    (used / MILLION).toFixed(1),
    requests,
    cpu.toFixed(2),
    (waited / 1000).toFixed(1),
  ]
  const cells = kinds.map((kind) => {
    const latency = latencies.get(kind)
    return latency ? `${latency.p50.toFixed(1)}/${latency.p99.toFixed(0)}` : '–'
  })
  return [
    ...numbers.map((one) => String(one).padStart(NUMBER_WIDTH)),
    ...cells.map((one) => one.padStart(LATENCY_WIDTH)),
  ].join(' ')
}
