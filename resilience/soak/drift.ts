import type { Check } from '../harness/check.ts'
import type { Minute } from './minute-stats.ts'

/** How much more the last third may have than the second: a share of it, and something on top for what is small. */
interface Allowance {
  readonly share: number
  readonly more: number
}

const MILLION = 1_000_000
const USED: Allowance = { share: 1.1, more: 5 * MILLION }
const RESIDENT: Allowance = { share: 1.1, more: 20 * MILLION }
const CPU: Allowance = { share: 1.25, more: 0.2 }
const P50: Allowance = { share: 1.5, more: 2 }
/** Of a kind that is done once a second, the p99 of a minute is its slowest. */
const P99: Allowance = { share: 2, more: 25 }

/** Milliseconds of a minute; where the service waits longer for a processor, its latencies say nothing about it. */
const MOST_WAITED = 6000

/** Whether the last third of the minutes is as the second was; the first is for warming up. */
export function verdictOn(minutes: readonly Minute[]): Check[] {
  const third = Math.floor(minutes.length / 3)
  const thirds = [minutes.slice(third, minutes.length - third), minutes.slice(minutes.length - third)] as const
  return [
    flat(
      'memory in use',
      USED,
      megabytes,
      medians(thirds, ({ used }) => used),
    ),
    flat(
      'resident memory',
      RESIDENT,
      megabytes,
      medians(thirds, ({ resident }) => resident),
    ),
    flat(
      'processor time for a request',
      CPU,
      milliseconds,
      medians(thirds, ({ cpu }) => cpu),
    ),
    ...latenciesOf(thirds),
  ]
}

type Thirds = readonly [readonly Minute[], readonly Minute[]]

function latenciesOf([second, last]: Thirds): Check[] {
  const quiet = [second, last].map((part) => part.filter(({ waited }) => waited <= MOST_WAITED)) as unknown as Thirds
  if (quiet.some((part) => part.length === 0)) {
    const observed = `cannot be told: the service waited for a processor for over ${MOST_WAITED / 1000} s of every minute; give it a quiet machine`
    return [{ name: 'latencies stay flat', passed: false, observed }]
  }
  const kinds = [...new Set(quiet.flat().flatMap(({ latencies }) => [...latencies.keys()]))]
  return kinds.flatMap((kind) => [
    flat(
      `the p50 of ${kind}`,
      P50,
      milliseconds,
      medians(quiet, ({ latencies }) => latencies.get(kind)?.p50),
    ),
    flat(
      `the p99 of ${kind}`,
      P99,
      milliseconds,
      medians(quiet, ({ latencies }) => latencies.get(kind)?.p99),
    ),
  ])
}

function flat(
  name: string,
  { share, more }: Allowance,
  write: (value: number) => string,
  [before, after]: readonly [number, number],
): Check {
  const most = before * share + more
  const observed = `${write(before)}, then ${write(after)} of at most ${write(most)}`
  return { name: `${name} stays flat`, passed: after <= most, observed }
}

function medians([second, last]: Thirds, of: (minute: Minute) => number | undefined): [number, number] {
  return [median(second.flatMap((minute) => of(minute) ?? [])), median(last.flatMap((minute) => of(minute) ?? []))]
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
