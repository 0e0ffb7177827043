import type { Position } from 'geojson'

/**
 * The largest box of a given shape inside an area: its centre, and its height divided by `height`.
 */
export interface InnerBox {
  readonly x: number
  readonly y: number
  readonly scale: number
}

interface Cell {
  readonly x: number
  readonly y: number
  /** Half of its side. */
  readonly half: number
  /** From its centre to the edge of the area; negative outside. */
  readonly distance: number
}

/** The result is at most this much smaller than the best. */
const PRECISION = 0.04

/**
 * Finds where a box of `width` by `height` can be largest inside the rings of an area. The area is
 * shrunk by the box's shape, so that the box becomes a square; the square's centre is then the pole
 * of inaccessibility, with distances measured along the axes (after mapbox/polylabel).
 */
export function innerBox(rings: readonly (readonly Position[])[], width: number, height: number): InnerBox {
  const shrunk = rings.map((ring) => Float64Array.from(ring.flatMap(([x, y]) => [x! / width, y! / height])))
  const [west, south, east, north] = extentOf(shrunk[0]!)
  const side = Math.min(east - west, north - south)
  const cellAt = (x: number, y: number, half: number): Cell => ({ x, y, half, distance: signedDistance(shrunk, x, y) })
  const waiting: Cell[] = []
  for (let x = west; x < east; x += side)
    for (let y = south; y < north; y += side) waiting.push(cellAt(x + side / 2, y + side / 2, side / 2))
  let best = cellAt((west + east) / 2, (south + north) / 2, 0)
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    if (cell.distance > best.distance) best = cell
    const half = cell.half / 2
    if (cell.distance + cell.half <= Math.max(0, best.distance) * (1 + PRECISION) || half < side * 1e-3) continue
    // The most promising quarter comes last, and so is looked at first: it rules out most others.
    const quarters = QUARTERS.map(([right, up]) => cellAt(cell.x + right * half, cell.y + up * half, half))
    waiting.push(...quarters.sort((one, other) => one.distance - other.distance))
  }
  return { x: best.x * width, y: best.y * height, scale: Math.max(0, best.distance * 2) }
}

function extentOf(ring: Float64Array): [number, number, number, number] {
  const [xs, ys] = [ring.filter((_, index) => index % 2 === 0), ring.filter((_, index) => index % 2 === 1)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

const QUARTERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const

/** Rings are `x, y, x, y, …`. Plain loops: a phone runs them a million times for one map. */
function signedDistance(rings: readonly Float64Array[], x: number, y: number): number {
  let inside = false
  let least = Number.POSITIVE_INFINITY
  for (const ring of rings) {
    let fromX = ring[0]! - x
    let fromY = ring[1]! - y
    for (let index = 2; index < ring.length; index += 2) {
      const toX = ring[index]! - x
      const toY = ring[index + 1]! - y
      if (fromY > 0 !== toY > 0 && fromX - (fromY * (toX - fromX)) / (toY - fromY) > 0) inside = !inside
      const distance = axisDistance(fromX, fromY, toX, toY)
      if (distance < least) least = distance
      fromX = toX
      fromY = toY
    }
  }
  return inside ? least : -least
}

/**
 * The least of max(|x|, |y|) on the line between two points: at an end, or where |x| equals |y|.
 */
function axisDistance(fromX: number, fromY: number, toX: number, toY: number): number {
  const atEnds = Math.min(Math.max(Math.abs(fromX), Math.abs(fromY)), Math.max(Math.abs(toX), Math.abs(toY)))
  const alongX = toX - fromX
  const alongY = toY - fromY
  const onRising = (fromY - fromX) / (alongX - alongY)
  const onFalling = (-fromY - fromX) / (alongX + alongY)
  const rising = onRising > 0 && onRising < 1 ? Math.abs(fromX + onRising * alongX) : atEnds
  const falling = onFalling > 0 && onFalling < 1 ? Math.abs(fromX + onFalling * alongX) : atEnds
  return Math.min(atEnds, rising, falling)
}
