import { type LgaRecord, toBox } from '../../../src/geo/data.ts'
import { estimateLga, type LgaGrid } from '../../../src/geo/geography.ts'
import { round } from '../sources/lgas.ts'

/**
 * The package's centres are means of boundary vertices, and some lie in a neighbour. Incidents
 * known only by their LGA are shown at its centre, so a centre outside its LGA is moved to the
 * nearest cell with two cells of the same LGA on every side.
 */
export function moveCentres(records: readonly LgaRecord[], grid: LgaGrid): LgaRecord[] {
  const boxes = records.map(({ box }) => box && toBox(box))
  return records.map((record, number) => {
    if (record.box && estimateLga(grid, boxes, record.lat, record.lng) === number) return record
    const from = record.box ? record : middleOf(grid, number)
    for (const depth of [2, 1, 0]) {
      const cell = nearestCell(grid, number, from.lat, from.lng, depth)
      if (cell) return { ...record, lat: round(cell.lat), lng: round(cell.lng) }
    }
    throw new Error(`${record.code} has no cell`)
  })
}

function middleOf(grid: LgaGrid, number: number): { lat: number; lng: number } {
  let count = 0
  let rows = 0
  let columns = 0
  for (const [cell, owner] of grid.numbers.entries()) {
    if (owner !== number) continue
    count++
    rows += Math.floor(cell / grid.columns)
    columns += cell % grid.columns
  }
  return { lat: grid.south + (rows / count + 0.5) * grid.cell, lng: grid.west + (columns / count + 0.5) * grid.cell }
}

function nearestCell(
  grid: LgaGrid,
  number: number,
  lat: number,
  lng: number,
  depth: number,
): { lat: number; lng: number } | null {
  let best: { lat: number; lng: number } | null = null
  let least = Infinity
  for (const [cell, owner] of grid.numbers.entries()) {
    if (owner !== number || !isSurrounded(grid, cell, number, depth)) continue
    const cellLat = grid.south + (Math.floor(cell / grid.columns) + 0.5) * grid.cell
    const cellLng = grid.west + ((cell % grid.columns) + 0.5) * grid.cell
    const off = Math.hypot(cellLat - lat, cellLng - lng)
    if (off < least) {
      least = off
      best = { lat: cellLat, lng: cellLng }
    }
  }
  return best
}

function isSurrounded({ numbers, columns }: LgaGrid, cell: number, number: number, depth: number): boolean {
  for (let up = -depth; up <= depth; up++) {
    for (let right = -depth; right <= depth; right++) if (numbers[cell + up * columns + right] !== number) return false
  }
  return true
}
