import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../src/lib/random.ts'

/** Does one thing, and says how many milliseconds the service took for it. */
export type Work = (stop: AbortSignal) => Promise<number>

export interface Load {
  /** By kind, in milliseconds, since it was last asked. */
  take(): ReadonlyMap<string, readonly number[]>
  /** What went wrong so far. */
  readonly failures: readonly string[]
  /** Resolves once every kind has finished what it was at. */
  readonly ended: Promise<unknown>
}

/** Does each kind of work so many times a second, at uneven intervals, until it is told to stop. */
export function startLoad(
  works: Readonly<Record<string, Work>>,
  rates: Readonly<Record<string, number>>,
  random: Random,
  stop: AbortSignal,
): Load {
  const failures: string[] = []
  let durations = new Map<string, number[]>()
  const once = async (kind: string, work: Work) => {
    try {
      const took = await work(stop)
      const known = durations.get(kind)
      if (known) known.push(took)
      else durations.set(kind, [took])
    } catch (error) {
      failures.push(`${kind}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const keepDoing = async (kind: string, work: Work) => {
    const underWay = new Set<Promise<void>>()
    // At its time, whether or not the one before is finished: who waits for a slow answer would not see how slow it is.
    while (!stop.aborted) {
      const doing = once(kind, work).finally(() => underWay.delete(doing))
      underWay.add(doing)
      await wait((2 * random() * 1000) / rates[kind]!)
    }
    await Promise.all(underWay)
  }
  return {
    failures,
    ended: Promise.all(Object.entries(works).map(([kind, work]) => keepDoing(kind, work))),
    take() {
      const taken = durations
      durations = new Map()
      return taken
    },
  }
}
