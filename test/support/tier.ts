/** Fails a fast test that uses `part`. `npm run test:fast` sets TEST_TIER. */
export function requireSlowTier(part: string): void {
  if (process.env.TEST_TIER === 'fast') throw new Error(`this test uses ${part}: name its file *.slow.test.ts`)
}
