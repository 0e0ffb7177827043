import { PUZZLES, puzzleText } from '../../src/domain/tips.ts'

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

/**
 * SHA-256 of short texts. The browser's own takes a turn of the event loop for each text, which is
 * longer than the hash; and pages without https do not have it.
 */
const ROUNDS = 64
const MAX_BYTES = 55

const primes: number[] = []
for (let number = 2; primes.length < ROUNDS; number++)
  if (primes.every((prime) => number % prime !== 0)) primes.push(number)
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0
const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const words = new Int32Array(ROUNDS)

/** The first 32 bits of the hash of a text of at most 55 ASCII characters. */
function hashPrefix(text: string): number {
  if (text.length > MAX_BYTES) throw new RangeError(`${text.length} characters are too many`)
  words.fill(0, 0, 16)
  for (let index = 0; index < text.length; index++)
    words[index >> 2]! |= text.charCodeAt(index) << (24 - 8 * (index & 3))
  words[text.length >> 2]! |= 0x80 << (24 - 8 * (text.length & 3))
  words[15] = text.length * 8
  for (let round = 16; round < ROUNDS; round++) {
    const early = words[round - 15]!
    const late = words[round - 2]!
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[round] = (words[round - 16]! + small + words[round - 7]! + large) | 0
  }
  let [a, b, c, d, e, f, g, h] = START as unknown as [number, number, number, number, number, number, number, number]
  for (let round = 0; round < ROUNDS; round++) {
    const choice = (e & f) ^ (~e & g)
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + K[round]! + words[round]!) | 0
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  return (a + START[0]!) >>> 0
}

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}
