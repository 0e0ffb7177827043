import type { Promised } from '../proof.ts'
import type { Minute } from './minute.ts'

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

/** A server beside the service that does nothing: what it takes longer, the machine takes. */
export const BARE = 'bare'

/**
 * Whether the last third of the minutes is as the second was; the first is for warming up. Where the machine became
 * slower meanwhile, as the bare server says, latencies may too.
 */
export function verdictOn(minutes: readonly Minute[]): Promised[] {
  const third = Math.floor(minutes.length / 3)
  const thirds = [minutes.slice(third, minutes.length - third), minutes.slice(minutes.length - third)] as const
  const kinds = [...new Set(minutes.flatMap(({ latencies }) => [...latencies.keys()]))].filter((kind) => kind !== BARE)
  const latency = (what: 'p50' | 'p99', allowance: Allowance) => {
    const [before, after] = medians(thirds, ({ latencies }) => latencies.get(BARE)?.[what])
    const slower = Math.max(1, after / before)
    const scaled = { share: allowance.share * slower, more: allowance.more }
    return kinds.map((kind) =>
      flat(
        `the ${what} of ${kind}`,
        scaled,
        milliseconds,
        medians(thirds, ({ latencies }) => latencies.get(kind)?.[what]),
      ),
    )
  }
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
    ...latency('p50', P50),
    ...latency('p99', P99),
  ]
}

function flat(
  what: string,
  { share, more }: Allowance,
  write: (value: number) => string,
  [before, after]: readonly [number, number],
): Promised {
  const most = before * share + more
  const seen = `${write(before)}, then ${write(after)} of at most ${write(most)}`
  return { what: `${what} stays flat`, kept: after <= most, seen }
}

function medians(
  thirds: readonly [readonly Minute[], readonly Minute[]],
  of: (minute: Minute) => number | undefined,
): [number, number] {
  const [second, last] = thirds
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
