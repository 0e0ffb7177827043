import { eventLoopShare } from './event-loop-share.ts'

/** Shorter than a slice of the event loop: between two values, the receiver works as well. */
const RUN_MILLISECONDS = 2

/**
 * Yields the values and lets the event loop run every few milliseconds. All callers share the loop,
 * subject by subject: many downloads at once do not add up.
 */
export async function* inTimeSlices<Value>(
  values: Iterable<Value>,
  subject: string,
  signal?: AbortSignal,
): AsyncGenerator<Value> {
  await eventLoopShare.nextSlice(subject, signal)
  let started = performance.now()
  for (const value of values) {
    yield value
    if (performance.now() - started < RUN_MILLISECONDS) continue
    await eventLoopShare.nextSlice(subject, signal)
    started = performance.now()
  }
}
