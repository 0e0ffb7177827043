import { readData } from '../data.ts'

/** An estimated partition of Nigeria into LGAs, computed by scripts/geo/partition/partition.ts. */
export interface LgaGrid {
  readonly west: number
  readonly south: number
  /** Side of a cell in degrees. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
  /** The LGA's number in lgas.json by cell, in rows from the south-west; -1 outside Nigeria. */
  readonly numbers: Int16Array
}

export interface GridRecord extends Omit<LgaGrid, 'numbers'> {
  /** Run lengths by row: number, cells, number, cells, … */
  readonly runs: readonly (readonly number[])[]
}

export function readLgaGrid(): LgaGrid {
  const { runs, ...grid } = readData<GridRecord>('lga-grid.json')
  const numbers = new Int16Array(grid.columns * grid.rows)
  for (const [row, pairs] of runs.entries()) {
    let at = row * grid.columns
    for (let pair = 0; pair < pairs.length; pair += 2) {
      const end = at + pairs[pair + 1]!
      numbers.fill(pairs[pair]!, at, end)
      at = end
    }
  }
  return { ...grid, numbers }
}

export function writeRuns(numbers: Int16Array, columns: number): number[][] {
  return Array.from({ length: numbers.length / columns }, (_, row) => {
    const runs: number[] = []
    for (const number of numbers.subarray(row * columns, (row + 1) * columns)) {
      if (runs.at(-2) === number) runs[runs.length - 1]!++
      else runs.push(number, 1)
    }
    return runs
  })
}
