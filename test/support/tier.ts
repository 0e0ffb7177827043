/** Fails a fast test that uses `part`. `npm run test:fast` sets TEST_TIER. */
export function requireSlowTier(part: string): void {
  if (process.env.TEST_TIER === 'fast') throw new Error(`this test uses ${part}: name its file *.slow.test.ts`)
}

/**
 * Why a test with several processes and minutes of waiting is left out of `npm test`; false if it
 * runs.
 */
export function leftOut(scenario: string): string | false {
  if (process.env.TEST_TIER === 'all') return false
  return `TEST_TIER=all runs it, and so does npm run resilience -- ${scenario}`
}

/**
 * The stores on which a case runs that is not part of the conformance suite, which compares them:
 * the first, or all with TEST_TIER=all.
 */
export function oneStoreOf<Store>(stores: readonly Store[]): readonly Store[] {
  return process.env.TEST_TIER === 'all' ? stores : stores.slice(0, 1)
}

/**
 * The number of tries of a property: a third as often in `npm test`, which must end in half an
 * hour, as with `npm run test:all`.
 */
export function tries(count: number): number {
  return process.env.TEST_TIER === 'all' ? count : Math.ceil(count / 3)
}
