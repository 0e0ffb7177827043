import { OVERVIEW_HEIGHT, overviewPoint, worldPosition } from '../filter/overview-map.ts'
import type { Steps } from '../lib/steps.ts'

/** In units of the SVG map: a third of a pixel on a phone. */
const TOLERANCE = 0.9

/** The states as path data. */
export interface Outlines {
  /** The country's area. */
  readonly land: string
  /** The borders between states. */
  readonly borders: string
}

/** Simplifies the states' outlines; neighbours keep a common border. */
export function* findOutlines(statesGeoJson: Buffer): Steps<Outlines> {
  const edges = yield* readEdges(statesGeoJson)
  const isJunction = yield* junctionsOf(edges)
  const coasts = yield* simplifiedLines(edges.outer, isJunction)
  const borders = yield* simplifiedLines(edges.inner, isJunction)
  return {
    land: joinRings(coasts)
      .map((ring) => `${pathData(ring)}z`)
      .join(''),
    borders: borders.map(pathData).join(''),
  }
}

function* simplifiedLines(edges: readonly Edge[], isJunction: (point: Point) => boolean): Steps<Point[][]> {
  const simplified: Point[][] = []
  for (const line of yield* joinLines(edges, isJunction)) {
    simplified.push(simplify(line, TOLERANCE))
    yield
  }
  return simplified
}

/** Joins lines end to end until they close. */
function joinRings(lines: readonly (readonly Point[])[]): Point[][] {
  const rings: Point[][] = []
  const unused = new Set(lines)
  for (const line of lines) {
    if (!unused.delete(line)) continue
    const ring = [...line]
    for (;;) {
      const end = keyOf(ring.at(-1)!)
      if (end === keyOf(ring[0]!)) break
      const next = [...unused].find((one) => keyOf(one[0]!) === end || keyOf(one.at(-1)!) === end)
      if (next === undefined) break
      unused.delete(next)
      ring.push(...(keyOf(next[0]!) === end ? next : next.toReversed()).slice(1))
    }
    rings.push(ring)
  }
  return rings.filter((ring) => ring.length > 3)
}

/** Relative coordinates are shorter; a minus sign separates as well as a space. */
function pathData(line: readonly Point[]): string {
  const [first] = line
  const steps = line.slice(1).flatMap((point, index) => [point.x - line[index]!.x, point.y - line[index]!.y])
  return `M${first!.x} ${first!.y}l${steps.join(' ').replaceAll(' -', '-')}`
}

/** Some tenths of a millisecond, even before the code is compiled. */
const EDGES_PER_STEP = 250

/** Joins edges into lines that end where more or fewer than two edges meet, or closed rings. */
function* joinLines(edges: readonly Edge[], isFixed: (point: Point) => boolean): Steps<Point[][]> {
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
function* junctionsOf({ outer, inner }: Edges): Steps<(point: Point) => boolean> {
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

export interface Point {
  readonly x: number
  readonly y: number
}

interface StateFeatures {
  readonly features: readonly {
    readonly geometry:
      | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
      | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }
  }[]
}
type Ring = readonly (readonly [number, number])[]

interface Edge {
  readonly from: Point
  readonly to: Point
}

/** The edges of the states' outlines in whole units, each once. */
interface Edges {
  /** The country's outline: edges of one state, in the direction of its ring. */
  readonly outer: readonly Edge[]
  /** Borders between two states. */
  readonly inner: readonly Edge[]
}

/** A number for each point of the map: texts would take most of the time. */
export function keyOf({ x, y }: Point): number {
  return x * ROWS + y
}

const ROWS = OVERVIEW_HEIGHT + 1

/** The same for both directions. */
function edgeKeyOf({ from, to }: Edge): number {
  const [one, other] = [keyOf(from), keyOf(to)]
  return Math.min(one, other) * KEYS + Math.max(one, other)
}

/** More than the key of any point; the product of two keys is exact below 2 ** 53. */
const KEYS = 2 ** 26

/**
 * Neighbouring states share their vertices, so after rounding they still do: a border that occurs
 * twice is an inner one, and drawing it once halves the bytes.
 */
function* readEdges(statesGeoJson: Buffer): Steps<Edges> {
  const { features } = JSON.parse(statesGeoJson.toString()) as StateFeatures
  yield
  const uses = new Map<number, { readonly edge: Edge; count: number }>()
  for (const { geometry } of features) {
    for (const ring of geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat())
      for (const edge of edgesOf(ring)) {
        const key = edgeKeyOf(edge)
        const known = uses.get(key)
        if (known) known.count++
        else uses.set(key, { edge, count: 1 })
      }
    yield
  }
  const all = [...uses.values()]
  return {
    outer: all.filter(({ count }) => count === 1).map(({ edge }) => edge),
    inner: all.filter(({ count }) => count > 1).map(({ edge }) => edge),
  }
}

function edgesOf(ring: Ring): Edge[] {
  const points: Point[] = []
  for (const [lng, lat] of ring) {
    const world = worldPosition(lng, lat)
    const point = overviewPoint(world.x, world.y)
    const last = points.at(-1)
    if (last?.x !== point.x || last.y !== point.y) points.push(point)
  }
  return points.slice(1).map((to, index) => ({ from: points[index]!, to }))
}
