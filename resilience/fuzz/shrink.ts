import fc from 'fast-check'

export interface Failure {
  /** Failures of the same kind are counted together. */
  readonly kind: string
  readonly response: string
}

export interface ShrunkFailure<Input> {
  readonly failure: Failure
  /** The smallest input found that fails in the same way. */
  readonly input: Input
  /** The number of smaller inputs sent. */
  readonly attempts: number
}

const MAX_ATTEMPTS = 500
const MAX_SHRINK_MS = 60_000

/**
 * Sends one random input; the same seed generates the same input, except for learned values. If it
 * fails and `shouldShrink` says so, sends smaller and smaller inputs as long as they fail in the
 * same way. Returns null if the first input did not fail.
 */
export async function sendAndShrink<Input>(
  inputs: fc.Arbitrary<Input>,
  seed: number,
  send: (input: Input) => Promise<Failure | null>,
  shouldShrink: (kind: string) => boolean,
): Promise<ShrunkFailure<Input> | null> {
  let smallest: { failure: Failure; input: Input } | null = null
  let sent = 0
  const deadline = performance.now() + MAX_SHRINK_MS
  const passes = async (input: Input): Promise<boolean> => {
    if (sent > MAX_ATTEMPTS || performance.now() > deadline) return true
    sent++
    const failure = await send(input)
    if (failure === null || (smallest !== null && failure.kind !== smallest.failure.kind)) return true
    const isFirst = smallest === null
    smallest = { failure, input }
    return isFirst && !shouldShrink(failure.kind)
  }
  // Without noBias, fast-check generates boundary values in half of all first runs.
  await fc.check(fc.asyncProperty(fc.noBias(inputs), passes), { seed, numRuns: 1 })
  return smallest === null ? null : { ...(smallest as { failure: Failure; input: Input }), attempts: sent - 1 }
}
