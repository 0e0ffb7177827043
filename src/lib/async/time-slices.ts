import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long may work go on before others get their turn: a request that arrives meanwhile waits no longer than this. */
const SLICE_MILLISECONDS = 2

/** The same values, made a few milliseconds at a time. */
export async function* inTimeSlices<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let started = performance.now()
  for (const value of values) {
    yield value
    if (performance.now() - started < SLICE_MILLISECONDS) continue
    await nextTurn()
    started = performance.now()
  }
}
