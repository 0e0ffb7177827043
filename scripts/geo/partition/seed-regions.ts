import { type Candidates, offCentre } from './candidates.ts'
import type { Extent } from './extents.ts'
import type { Grid } from './grid.ts'

interface Growth {
  readonly cost: number
  readonly cell: number
  readonly label: number
}

/**
 * Builds the first partition: every LGA grows from one cell, cheapest cells first, so that each
 * region is connected. The sampler keeps regions connected.
 */
export function seedRegions(grid: Grid, candidates: Candidates, extents: readonly Extent[]): Int16Array {
  const { columns, rows } = grid
  const regions = new Int16Array(columns * rows).fill(-1)
  const settlementCandidate = new Uint8Array(regions.length)
  const queue = new Queue()
  const small = extents
    .map((extent, label) => ({ extent, label }))
    .sort((one, other) => cells(one.extent) - cells(other.extent))
  for (const { extent, label } of small) {
    const cell = bestCell(grid, candidates, extent, label, regions)
    regions[cell] = label
    queue.push({ cost: 0, cell, label })
  }
  for (let cell = 0; cell < regions.length; cell++) {
    const only = candidates.first[cell + 1]! - candidates.first[cell]! === 1
    if (regions[cell] === -1 && only && candidates.labels[candidates.first[cell]!] === candidates.outside) {
      regions[cell] = candidates.outside
      queue.push({ cost: 0, cell, label: candidates.outside })
    }
  }
  for (let step = queue.pop(); step; step = queue.pop()) {
    const { cost, cell, label } = step
    if (settlementCandidate[cell] || (regions[cell] !== -1 && regions[cell] !== label)) continue
    regions[cell] = label
    settlementCandidate[cell] = 1
    for (const next of neighbours(cell, columns, rows)) {
      if (regions[next] !== -1) continue
      const own = costOf(candidates, next, label)
      if (own === Infinity) continue
      const off =
        label === candidates.outside ? 0.5 : offCentre(extents[label]!, Math.floor(next / columns), next % columns)
      queue.push({ cost: Math.max(cost, off + own), cell: next, label })
    }
  }
  return fillGaps(regions, columns, rows)
}

function bestCell(grid: Grid, candidates: Candidates, extent: Extent, label: number, regions: Int16Array): number {
  let best = -1
  let least = Infinity
  for (let row = extent.firstRow; row <= extent.lastRow; row++) {
    for (let column = extent.firstColumn; column <= extent.lastColumn; column++) {
      const cell = row * grid.columns + column
      const cost = costOf(candidates, cell, label) + offCentre(extent, row, column)
      if (regions[cell] === -1 && cost < least) {
        least = cost
        best = cell
      }
    }
  }
  if (best === -1) throw new Error(`${extent.code} has no free cell: the grid is too coarse`)
  return best
}

/** Gives cells that no region reached to a neighbouring region. */
function fillGaps(regions: Int16Array, columns: number, rows: number): Int16Array {
  let open = [...regions.keys()].filter((cell) => regions[cell] === -1)
  while (open.length > 0) {
    const still = open.filter((cell) => {
      const neighbour = neighbours(cell, columns, rows).find((next) => regions[next] !== -1)
      if (neighbour !== undefined) regions[cell] = regions[neighbour]!
      return neighbour === undefined
    })
    if (still.length === open.length) throw new Error('the partition has no region')
    open = still
  }
  return regions
}

function costOf({ first, labels, costs }: Candidates, cell: number, label: number): number {
  for (let at = first[cell]!; at < first[cell + 1]!; at++) if (labels[at] === label) return costs[at]!
  return Infinity
}

function neighbours(cell: number, columns: number, rows: number): number[] {
  const column = cell % columns
  const row = (cell - column) / columns
  const all: number[] = []
  if (column > 0) all.push(cell - 1)
  if (column < columns - 1) all.push(cell + 1)
  if (row > 0) all.push(cell - columns)
  if (row < rows - 1) all.push(cell + columns)
  return all
}

function cells(extent: Extent): number {
  return (extent.lastColumn - extent.firstColumn + 1) * (extent.lastRow - extent.firstRow + 1)
}

/** A binary heap, cheapest first. */
class Queue {
  readonly #steps: Growth[] = []

  push(step: Growth): void {
    const steps = this.#steps
    let at = steps.push(step) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (steps[parent]!.cost <= step.cost) break
      steps[at] = steps[parent]!
      at = parent
    }
    steps[at] = step
  }

  pop(): Growth | undefined {
    const steps = this.#steps
    const top = steps[0]
    const last = steps.pop()
    if (!last || steps.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= steps.length) break
      if (child + 1 < steps.length && steps[child + 1]!.cost < steps[child]!.cost) child++
      if (steps[child]!.cost >= last.cost) break
      steps[at] = steps[child]!
      at = child
    }
    steps[at] = last
    return top
  }
}
