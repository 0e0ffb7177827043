import { eventLoopShare } from './event-loop-share.ts'

/**
 * A computation that pauses after each small step, so that its caller can let other work run in
 * between. A step takes well below a millisecond.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>

export function runToEnd<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs a computation in slices of the event loop, which subjects take in turn. */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  subject: string,
  signal?: AbortSignal,
): Promise<Result> {
  let result: IteratorResult<undefined, Result>
  const step = (): boolean => {
    result = steps.next()
    return result.done === true
  }
  do await eventLoopShare.nextSlice(subject, signal)
  while (!eventLoopShare.runSlice(step))
  return result!.value as Result
}

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
