import { median, spread } from '../harness/statistics.ts'

export interface Difference {
  readonly name: string
  /** The medians, in microseconds. */
  readonly before: number
  readonly after: number
  /** After divided by before, for each round. */
  readonly ratios: readonly number[]
}

export interface Measurements {
  before(): Promise<number>
  after(): Promise<number>
}

/**
 * Measures both in turn, in changing order, so that other load on the machine affects both alike.
 */
export async function differenceOf(name: string, measure: Measurements, rounds: number): Promise<Difference> {
  await measure.before()
  await measure.after()
  const [before, after]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) after.push(await measure.after())
    before.push(await measure.before())
    if (round % 2 === 1) after.push(await measure.after())
  }
  const ratios = after.map((value, round) => value / before[round]!)
  return { name, before: median(before), after: median(after), ratios }
}

export function printDifferences(commit: string, differences: readonly Difference[]): void {
  console.log(`processor time, ${commit} → this checkout (median of the rounds' ratios; lowest and highest)`)
  const width = Math.max(...differences.map(({ name }) => name.length))
  for (const { name, before, after, ratios } of differences) {
    const change = `${before.toFixed(1)} → ${after.toFixed(1)} µs`
    console.log(`${name.padEnd(width)}  ${change.padEnd(20)}  × ${median(ratios).toFixed(3)} (${spread(ratios, 3)})`)
  }
}
