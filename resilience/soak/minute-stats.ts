import type { ProcessUsage } from '../harness/process-usage.ts'

export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** Measurements of one minute; `cpu` is processor time per request, in milliseconds. */
export interface MinuteStats extends ProcessUsage {
  readonly requests: number
  readonly latencies: ReadonlyMap<string, Latency>
}

/**
 * Computes the measurements from the usage at the start and end of the minute and the response
 * times.
 */
export function minuteStats(
  before: ProcessUsage,
  after: ProcessUsage,
  durations: ReadonlyMap<string, readonly number[]>,
): MinuteStats {
  const latencies = new Map([...durations].map(([task, all]) => [task, latencyOf(all)]))
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
const NUMBER_WIDTH = 8
const LATENCY_WIDTH = 12

export function formatHeading(tasks: readonly string[]): string {
  const numbers = ['minute', 'RSS MB', 'used MB', 'requests', 'CPU ms', 'waits s'].map((name) =>
    name.padStart(NUMBER_WIDTH),
  )
  return [...numbers, ...tasks.map((task) => task.padStart(LATENCY_WIDTH))].join(' ')
}

/** Formats one line of the table; each task shows p50/p99 in milliseconds. */
export function formatLine(number: number, minute: MinuteStats, tasks: readonly string[]): string {
  const { resident, used, requests, cpu, waited, latencies } = minute
  const numbers = [
    number,
    (resident / MILLION).toFixed(0),
    (used / MILLION).toFixed(1),
    requests,
    cpu.toFixed(2),
    (waited / 1000).toFixed(1),
  ]
  const cells = tasks.map((task) => {
    const latency = latencies.get(task)
    return latency ? `${latency.p50.toFixed(1)}/${latency.p99.toFixed(0)}` : '–'
  })
  return [
    ...numbers.map((one) => String(one).padStart(NUMBER_WIDTH)),
    ...cells.map((one) => one.padStart(LATENCY_WIDTH)),
  ].join(' ')
}
