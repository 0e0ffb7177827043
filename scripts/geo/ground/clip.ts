import type { Position } from './shapefile.ts'

/** West, south, east, north. */
export type Box = readonly [number, number, number, number]

export function isInside([west, south, east, north]: Box, [lng, lat]: Position): boolean {
  return lng >= west && lng <= east && lat >= south && lat <= north
}

/** Cuts a ring at the box (Sutherland–Hodgman); empty if nothing of it lies inside. */
export function clipRing(ring: readonly Position[], [west, south, east, north]: Box): Position[] {
  const sides: readonly [axis: 0 | 1, limit: number, sign: 1 | -1][] = [
    [0, west, 1],
    [0, east, -1],
    [1, south, 1],
    [1, north, -1],
  ]
  let kept = ring.slice(0, -1)
  for (const [axis, limit, sign] of sides) {
    const isIn = (point: Position) => sign * (point[axis] - limit) >= 0
    const next: Position[] = []
    for (const [index, point] of kept.entries()) {
      const before = kept.at(index - 1)!
      if (isIn(point) !== isIn(before)) next.push(crossing(before, point, axis, limit))
      if (isIn(point)) next.push(point)
    }
    kept = next
  }
  return kept.length < 3 ? [] : [...kept, kept[0]!]
}

/** Cuts a line into the pieces inside the box; an end lies at the first point outside. */
export function clipLine(line: readonly Position[], box: Box): Position[][] {
  const pieces: Position[][] = []
  let piece: Position[] = []
  for (const [index, point] of line.entries()) {
    const near = [line[index - 1], point, line[index + 1]].some((each) => each !== undefined && isInside(box, each))
    if (near) piece.push(point)
    else if (piece.length > 0) {
      pieces.push(piece)
      piece = []
    }
  }
  return [...pieces, piece].filter(({ length }) => length > 1)
}

function crossing(from: Position, to: Position, axis: 0 | 1, limit: number): Position {
  const share = (limit - from[axis]) / (to[axis] - from[axis])
  const other = from[1 - axis]! + share * (to[1 - axis]! - from[1 - axis]!)
  return axis === 0 ? [limit, other] : [other, limit]
}
