import { eventLoopShare } from './event-loop-share.ts'
import type { Steps } from './steps.ts'

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
