import { PUZZLES, puzzleText } from '../../src/domain/tips.ts'
import { hashPrefix } from './sha256.ts'

/** Work between two looks at the clock, and the longest time without letting the page react. */
const HASHES_PER_LOOK = 200
const SLICE_MS = 12

/** Does the work of a challenge in slices, so that typing stays smooth. */
export async function solve(challenge: string): Promise<number[]> {
  const [, bits, seed] = challenge.split('.') as [string, string, string]
  const limit = 2 ** (32 - Number(bits))
  const solutions: number[] = []
  let solution = 0
  for (;;) {
    const end = performance.now() + SLICE_MS
    do {
      for (let left = HASHES_PER_LOOK; left > 0; left--, solution++) {
        if (hashPrefix(puzzleText(seed, solutions.length, solution)) >= limit) continue
        solutions.push(solution)
        if (solutions.length === PUZZLES) return solutions
        solution = -1
      }
    } while (performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve))
  }
}
