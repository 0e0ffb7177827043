import { OVERVIEW_HEIGHT, overviewPoint, worldPosition } from '../../filter/overview-map.ts'
import type { Steps } from '../../lib/steps.ts'

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

export interface Edge {
  readonly from: Point
  readonly to: Point
}

/** The edges of the states' outlines in whole units, each once. */
export interface Edges {
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
export function* readEdges(statesGeoJson: Buffer): Steps<Edges> {
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
