/*
 * Pages in the browser use this through the calendar: it must not bring along the share of the
 * event loop, by which the server runs the same steps (`concurrency.ts`).
 */

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
