import type { Steps } from '../../lib/steps.ts'
import { type Edge, keyOf, type Point, readEdges } from './edges.ts'
import { joinLines, junctionsOf, simplify } from './lines.ts'

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
