import { type Edge, type Edges, keyOf, type Point } from './edges.ts'

/** Joins edges into lines that end where more or fewer than two edges meet, or closed rings. */
export function joinLines(edges: readonly Edge[], isFixed: (point: Point) => boolean): Point[][] {
  const at = new Map<string, Set<Edge>>()
  for (const edge of edges)
    for (const point of [edge.from, edge.to]) {
      const key = keyOf(point)
      at.set(key, (at.get(key) ?? new Set()).add(edge))
    }
  const unused = new Set(edges)
  const walk = (start: Point): Point[] => {
    const line = [start]
    for (let point = start; ; ) {
      const next = [...(at.get(keyOf(point)) ?? [])].find((edge) => unused.has(edge))
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
  for (const start of [...ends, ...edges.map(({ from }) => from)])
    for (let line = walk(start); line.length > 1; line = walk(start)) lines.push(line)
  return lines
}

/** The points where three borders meet: both sides of a border must keep them. */
export function junctionsOf({ outer, inner }: Edges): (point: Point) => boolean {
  const degrees = new Map<string, number>()
  for (const { from, to } of [...outer, ...inner])
    for (const key of [keyOf(from), keyOf(to)]) degrees.set(key, (degrees.get(key) ?? 0) + 1)
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
