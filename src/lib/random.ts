/** From 0 up to, but not including, 1. */
export type Random = () => number

const WARM_UP_ROUNDS = 12

/** The sfc32 generator: with 128 bits of state, different seeds give different sequences. */
export function seededRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = seed | 0
  let c = Math.floor(seed / 2 ** 32) | 0
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round++) next()
  return next
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

/** A whole number from `least` to `most`, both included. */
export function randomInteger(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function randomExponential(random: Random, mean: number): number {
  return -Math.log(1 - random()) * mean
}

export function seededBytes(random: Random): (size: number) => Uint8Array {
  return (size) => {
    const bytes = new Uint8Array(size)
    for (let at = 0; at < size; at += 4) {
      const word = Math.floor(random() * 2 ** 32)
      for (let byte = 0; byte < 4 && at + byte < size; byte++) bytes[at + byte] = word >>> (8 * byte)
    }
    return bytes
  }
}

export interface WeightedChoice<T> {
  readonly values: readonly T[]
  /** Cumulative weights; the last is the sum of all. */
  readonly ends: Float64Array
}

export function weightedChoice<T>(weighted: Iterable<readonly [T, number]>): WeightedChoice<T> {
  const values: T[] = []
  const ends: number[] = []
  let sum = 0
  for (const [value, weight] of weighted) {
    sum += weight
    values.push(value)
    ends.push(sum)
  }
  if (values.length === 0) throw new RangeError('a weighted choice needs at least one value')
  return { values, ends: Float64Array.from(ends) }
}

export function pickWeighted<T>(random: Random, { values, ends }: WeightedChoice<T>): T {
  const last = ends.length - 1
  const target = random() * ends[last]!
  let at = 0
  while (at < last && target >= ends[at]!) at++
  return values[at]!
}
