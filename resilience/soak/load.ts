import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../src/lib/random.ts'

/** Performs one operation and returns the service's response time in milliseconds. */
export type Task = (stop: AbortSignal) => Promise<number>

export interface Load {
  /** Returns the response times by task since the last call, in milliseconds. */
  takeDurations(): ReadonlyMap<string, readonly number[]>
  readonly failures: readonly string[]
  /** Resolves once every started operation has finished. */
  readonly ended: Promise<unknown>
}

/** Runs each task at its rate per second, at random intervals, until `stop` is aborted. */
export function startLoad(
  tasks: Readonly<Record<string, Task>>,
  ratesPerSecond: Readonly<Record<string, number>>,
  random: Random,
  stop: AbortSignal,
): Load {
  const failures: string[] = []
  let durations = new Map<string, number[]>()
  const runOnce = async (name: string, task: Task) => {
    try {
      const ms = await task(stop)
      const known = durations.get(name)
      if (known) known.push(ms)
      else durations.set(name, [ms])
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const runRepeatedly = async (name: string, task: Task) => {
    const running = new Set<Promise<void>>()
    // Starts on schedule even if the previous operation is still running; waiting for slow
    // responses would lower the load and hide how slow they are (coordinated omission).
    while (!stop.aborted) {
      const run = runOnce(name, task).finally(() => running.delete(run))
      running.add(run)
      await wait((2 * random() * 1000) / ratesPerSecond[name]!)
    }
    await Promise.all(running)
  }
  return {
    failures,
    ended: Promise.all(Object.entries(tasks).map(([name, task]) => runRepeatedly(name, task))),
    takeDurations() {
      const taken = durations
      durations = new Map()
      return taken
    },
  }
}
