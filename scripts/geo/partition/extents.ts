import type { KnownPlace } from '../sources/gazetteer.ts'
import type { Grid } from './grid.ts'

/** Box, centre and known places of an LGA, in cells of the grid. */
export interface Extent {
  readonly code: string
  /** Number of the LGA's state. */
  readonly state: number
  /** Cells covered by the box, both ends included. */
  readonly firstColumn: number
  readonly lastColumn: number
  readonly firstRow: number
  readonly lastRow: number
  /** In degrees: west, south, east, north. */
  readonly box: readonly [number, number, number, number]
  /** False where the box is estimated; its sides are then ignored. */
  readonly exact: boolean
  /** Midpoint, in cells, between the middle of the box and the mean of the boundary's vertices. */
  readonly middleColumn: number
  readonly middleRow: number
  readonly knownPlaces: readonly KnownPlace[]
}

interface Known {
  readonly code: string
  readonly state: string
  readonly lat: number
  readonly lng: number
  readonly box: readonly [number, number, number, number] | null
}

/** An LGA without a box gets the mean size of this many neighbours. */
const NEIGHBOURS = 4

export function extentsOf(
  grid: Grid,
  lgas: readonly Known[],
  stateCodes: readonly string[],
  knownPlaces: readonly KnownPlace[],
): Extent[] {
  return lgas.map((lga) => {
    const named = knownPlaces.filter(({ lga: code }) => code === lga.code)
    const box = lga.box ?? estimatedBox(lga, named, lgas)
    const [west, south, east, north] = box
    const firstColumn = Math.max(0, Math.round((west - grid.west) / grid.cell))
    const firstRow = Math.max(0, Math.round((south - grid.south) / grid.cell))
    return {
      code: lga.code,
      state: stateCodes.indexOf(lga.state),
      firstColumn,
      firstRow,
      lastColumn: Math.max(firstColumn, Math.round((east - grid.west) / grid.cell) - 1),
      lastRow: Math.max(firstRow, Math.round((north - grid.south) / grid.cell) - 1),
      box,
      exact: lga.box !== null,
      middleColumn: ((west + east) / 2 + lga.lng) / 2 / grid.cell - grid.west / grid.cell - 0.5,
      middleRow: ((south + north) / 2 + lga.lat) / 2 / grid.cell - grid.south / grid.cell - 0.5,
      // A place outside its LGA's box has a wrong LGA or wrong coordinates.
      knownPlaces: named.filter(({ lat, lng }) => lng >= west && lng <= east && lat >= south && lat <= north),
    }
  })
}

type Rectangle = [west: number, south: number, east: number, north: number]

function estimatedBox(lga: Known, named: readonly KnownPlace[], lgas: readonly Known[]): Rectangle {
  const near = lgas
    .flatMap(({ state, box }) => (box && state === lga.state ? [{ box, off: distanceTo(box, lga) }] : []))
    .sort((one, other) => one.off - other.off || size(one.box) - size(other.box))
    .slice(0, NEIGHBOURS)
  const reach = near.reduce((sum, { box }) => sum + size(box), 0) / near.length / 2
  const lngs = [lga, ...named].map(({ lng }) => lng)
  const lats = [lga, ...named].map(({ lat }) => lat)
  return [Math.min(...lngs) - reach, Math.min(...lats) - reach, Math.max(...lngs) + reach, Math.max(...lats) + reach]
}

function size([west, south, east, north]: Readonly<Rectangle>): number {
  return Math.sqrt((east - west) * (north - south))
}

function distanceTo([west, south, east, north]: Readonly<Rectangle>, { lat, lng }: Known): number {
  return Math.hypot(Math.max(0, west - lng, lng - east), Math.max(0, south - lat, lat - north))
}
