import type { Check } from '../harness/check.ts'
import type { MinuteStats } from './minute-stats.ts'

/**
 * The maximum of the last third: the second third times `factor`, plus `margin` for small values.
 */
interface Tolerance {
  readonly factor: number
  readonly margin: number
}

const MILLION = 1_000_000
const USED: Tolerance = { factor: 1.1, margin: 5 * MILLION }
const RESIDENT: Tolerance = { factor: 1.1, margin: 20 * MILLION }
const CPU: Tolerance = { factor: 1.25, margin: 0.2 }
const P50: Tolerance = { factor: 1.5, margin: 2 }
/** For a task that runs once per second, the p99 of a minute is its slowest run. */
const P99: Tolerance = { factor: 2, margin: 25 }

/**
 * In a minute in which the service waits longer for a processor, latencies show the machine's load.
 */
const MAX_WAITED_MS = 6000

/** Compares the last third of the minutes with the second; the first third is the warm-up. */
export function checkDrift(minutes: readonly MinuteStats[]): Check[] {
  const third = Math.floor(minutes.length / 3)
  const thirds = [minutes.slice(third, minutes.length - third), minutes.slice(minutes.length - third)] as const
  return [
    checkFlat(
      'memory in use',
      USED,
      megabytes,
      medians(thirds, ({ used }) => used),
    ),
    checkFlat(
      'resident memory',
      RESIDENT,
      megabytes,
      medians(thirds, ({ resident }) => resident),
    ),
    checkFlat(
      'processor time per request',
      CPU,
      milliseconds,
      medians(thirds, ({ cpu }) => cpu),
    ),
    ...checkLatencies(thirds),
  ]
}

type Thirds = readonly [readonly MinuteStats[], readonly MinuteStats[]]

function checkLatencies([second, last]: Thirds): Check[] {
  const quiet = [second, last].map((part) => part.filter(({ waited }) => waited <= MAX_WAITED_MS)) as unknown as Thirds
  if (quiet.some((part) => part.length === 0)) {
    const observed = `not measurable: the service waited for a processor for over ${MAX_WAITED_MS / 1000} s in every minute; run it on an idle machine`
    return [{ name: 'latencies stay flat', passed: false, observed }]
  }
  const tasks = [...new Set(quiet.flat().flatMap(({ latencies }) => [...latencies.keys()]))]
  return tasks.flatMap((task) => [
    checkFlat(
      `the p50 of ${task}`,
      P50,
      milliseconds,
      medians(quiet, ({ latencies }) => latencies.get(task)?.p50),
    ),
    checkFlat(
      `the p99 of ${task}`,
      P99,
      milliseconds,
      medians(quiet, ({ latencies }) => latencies.get(task)?.p99),
    ),
  ])
}

function checkFlat(
  name: string,
  { factor, margin }: Tolerance,
  format: (value: number) => string,
  [before, after]: readonly [number, number],
): Check {
  const max = before * factor + margin
  const observed = `${format(before)}, then ${format(after)} of at most ${format(max)}`
  return { name: `${name} stays flat`, passed: after <= max, observed }
}

function medians([second, last]: Thirds, select: (minute: MinuteStats) => number | undefined): [number, number] {
  return [
    median(second.flatMap((minute) => select(minute) ?? [])),
    median(last.flatMap((minute) => select(minute) ?? [])),
  ]
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function megabytes(bytes: number): string {
  return `${(bytes / MILLION).toFixed(1)} MB`
}

function milliseconds(time: number): string {
  return `${time.toFixed(1)} ms`
}
