import type { Steps } from '../../lib/steps.ts'
import { type Edge, type Edges, keyOf, type Point } from './edges.ts'

/** Some tenths of a millisecond, even before the code is compiled. */
const EDGES_PER_STEP = 250

/** Joins edges into lines that end where more or fewer than two edges meet, or closed rings. */
export function* joinLines(edges: readonly Edge[], isFixed: (point: Point) => boolean): Steps<Point[][]> {
  const at = yield* edgesAtPoints(edges)
  const unused = new Set(edges)
  const walk = (start: Point): Point[] => {
    const line = [start]
    for (let point = start; ; ) {
      const next = at.get(keyOf(point))?.find((edge) => unused.has(edge))
      if (next === undefined) return line
      unused.delete(next)
      point = keyOf(next.from) === keyOf(point) ? next.to : next.from
      line.push(point)
      if (isFixed(point)) return line
    }
  }
  const lines: Point[][] = []
  const ends = edges.flatMap(({ from, to }) => [from, to]).filter(isFixed)
  // Rings without a fixed point remain for the end.
  for (const [index, start] of [...ends, ...edges.map(({ from }) => from)].entries()) {
    if (index % EDGES_PER_STEP === 0) yield
    for (let line = walk(start); line.length > 1; line = walk(start)) {
      lines.push(line)
      yield
    }
  }
  return lines
}

function* edgesAtPoints(edges: readonly Edge[]): Steps<Map<number, Edge[]>> {
  const at = new Map<number, Edge[]>()
  for (const [index, edge] of edges.entries()) {
    for (const key of [keyOf(edge.from), keyOf(edge.to)]) {
      const known = at.get(key)
      if (known) known.push(edge)
      else at.set(key, [edge])
    }
    if (index % EDGES_PER_STEP === 0) yield
  }
  return at
}

/** The points where three borders meet: both sides of a border must keep them. */
export function* junctionsOf({ outer, inner }: Edges): Steps<(point: Point) => boolean> {
  const degrees = new Map<number, number>()
  for (const [index, { from, to }] of [...outer, ...inner].entries()) {
    for (const key of [keyOf(from), keyOf(to)]) degrees.set(key, (degrees.get(key) ?? 0) + 1)
    if (index % EDGES_PER_STEP === 0) yield
  }
  return (point) => (degrees.get(keyOf(point)) ?? 0) > 2
}

/** Drops points that lie within the tolerance of the line without them (Douglas-Peucker). */
export function simplify(line: readonly Point[], tolerance: number): Point[] {
  const [first, last] = [line[0]!, line.at(-1)!]
  let farthest = 0
  let at = 0
  for (let index = 1; index < line.length - 1; index++) {
    const distance = distanceToSegment(line[index]!, first, last)
    if (distance > farthest) {
      farthest = distance
      at = index
    }
  }
  if (farthest <= tolerance) return line.length > 1 ? [first, last] : [first]
  return [...simplify(line.slice(0, at + 1), tolerance), ...simplify(line.slice(at), tolerance).slice(1)]
}

function distanceToSegment(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const share = Math.max(0, Math.min(1, along))
  return Math.hypot(point.x - from.x - share * dx, point.y - from.y - share * dy)
}
