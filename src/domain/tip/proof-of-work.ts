/**
 * Several small puzzles rather than one large: the time that a phone needs then varies little
 * around its average.
 */
export const PUZZLES = 8
/** Largest number of a solution: what both sides can count to without losing digits. */
export const MAX_SOLUTION = 2 ** 32

/** The text whose SHA-256 must begin with zero bits. It fits into one block of the hash. */
export function puzzleText(seed: string, puzzle: number, solution: number): string {
  return `${seed}.${puzzle}.${solution}`
}

/** Whether the first bits of a hash are zero. */
export function beginsWithZeroBits(hash: Uint8Array, bits: number): boolean {
  for (let index = 0, left = bits; left > 0; index++, left -= 8) {
    if (hash[index]! >> Math.max(0, 8 - left) !== 0) return false
  }
  return true
}
