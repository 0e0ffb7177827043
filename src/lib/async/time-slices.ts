import { setImmediate as nextTurn } from 'node:timers/promises'

/** A request that arrives meanwhile waits at most this long. */
const SLICE_MILLISECONDS = 2

/** Yields the values and lets the event loop run every few milliseconds. */
export async function* inTimeSlices<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let started = performance.now()
  for (const value of values) {
    yield value
    if (performance.now() - started < SLICE_MILLISECONDS) continue
    await nextTurn()
    started = performance.now()
  }
}
