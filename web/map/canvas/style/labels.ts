import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon, Position } from 'geojson'

/** The boundaries of states or LGAs. */
export type Boundaries = FeatureCollection<Polygon | MultiPolygon, { code: string; name: string }>

/** The width of a text, in units of its size. */
export type MeasureText = (text: string) => number

/** Zooms between which a name stands at one place. */
export interface LabelProperties {
  readonly code: string
  readonly text: string
  readonly fromZoom: number
  readonly toZoom: number
  /** Whether it may move up or down by `ROOM_EMS` to avoid a mark, and is still in its state. */
  readonly movable: boolean
}

/** The size of the states' names by zoom, in pixels. */
export const NAME_SIZES: readonly (readonly [zoom: number, size: number])[] = [
  [4, 9],
  [5, 10.5],
  [8, 15],
]
/** The distance from its point by which a movable name may be moved, in units of its size. */
export const ROOM_EMS = 1.1
export const LINE_HEIGHT = 1.2

const TILE_PX = 512
/** Between the name and the border. */
const MARGIN_PX = 3
const ZOOM_STEP = 0.5
const [MIN_ZOOM, MAX_ZOOM] = [3.5, 24]

/**
 * Returns the points of the areas' names: each at the zooms at which its text fits inside its own
 * area, where there is most room for it. `countOf` adds a second line.
 */
export function labelPoints(
  boundaries: Boundaries,
  measure: MeasureText,
  countOf: (code: string) => string | null = () => null,
): FeatureCollection<Point, LabelProperties> {
  return {
    type: 'FeatureCollection',
    features: boundaries.features.flatMap(({ geometry, properties: { code, name } }) => {
      const rings = largestPart(geometry).map((ring) => ring.map(toWorld))
      const lines = [shortName(code, name), countOf(code)].filter((line) => line !== null)
      return labelsIn(rings, code, lines.join('\n'), measure)
    }),
  }
}

/** A second line, where a name has two words, if the name is then shown earlier. */
function labelsIn(
  rings: readonly (readonly Position[])[],
  code: string,
  text: string,
  measure: MeasureText,
): Feature<Point, LabelProperties>[] {
  const wrapped = text.replace(' ', '\n')
  const [fixed] = [...new Set([text, wrapped])]
    .map((each) => spotFor(rings, each, measure, 0))
    .toSorted((one, other) => one.fromZoom - other.fromZoom)
  const movable = spotFor(rings, fixed!.text, measure, ROOM_EMS)
  const label = ({ at, text }: Spot, fromZoom: number, toZoom: number, isMovable: boolean) => ({
    type: 'Feature' as const,
    properties: { code, text, fromZoom, toZoom, movable: isMovable },
    geometry: { type: 'Point' as const, coordinates: at },
  })
  const labels = [
    label(fixed!, fixed!.fromZoom, movable.fromZoom, false),
    label(movable, movable.fromZoom, MAX_ZOOM, true),
  ]
  return labels.filter(({ properties: { fromZoom, toZoom } }) => fromZoom < toZoom)
}

interface Spot {
  readonly text: string
  readonly at: Position
  /** The first zoom at which the text fits. */
  readonly fromZoom: number
}

function spotFor(rings: readonly (readonly Position[])[], text: string, measure: MeasureText, roomEms: number): Spot {
  const lines = text.split('\n')
  const width = Math.max(...lines.map(measure))
  const textHeight = lines.length * LINE_HEIGHT
  const height = roomEms === 0 ? textHeight : 2 * (textHeight + roomEms)
  const { x, y, scale } = innerBox(rings, width, height)
  let fromZoom = MIN_ZOOM
  while (fromZoom < MAX_ZOOM && !fits(scale, height, fromZoom)) fromZoom += ZOOM_STEP
  return { text, at: toDegrees(x, y), fromZoom }
}

/** From here on it fits at every zoom: areas double with each level, the text grows by a tenth. */
function fits(scale: number, height: number, zoom: number): boolean {
  const emPx = scale * TILE_PX * 2 ** zoom
  return emPx * height >= nameSizeAt(zoom) * height + 2 * MARGIN_PX
}

export function nameSizeAt(zoom: number): number {
  const [first, last] = [NAME_SIZES[0]!, NAME_SIZES.at(-1)!]
  if (zoom <= first[0]) return first[1]
  if (zoom >= last[0]) return last[1]
  const next = NAME_SIZES.findIndex(([each]) => each >= zoom)
  const [[fromZoom, from], [toZoom, to]] = [NAME_SIZES[next - 1]!, NAME_SIZES[next]!]
  return from + ((zoom - fromZoom) / (toZoom - fromZoom)) * (to - from)
}

function shortName(code: string, name: string): string {
  return code === 'NG-FC' ? 'FCT' : name
}

/** The rings of the polygon with the largest extent. */
function largestPart(geometry: Polygon | MultiPolygon): Position[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates
  return geometry.coordinates.reduce((one, other) => (extentOf(other[0]!) > extentOf(one[0]!) ? other : one))
}

function extentOf(ring: readonly Position[]): number {
  const [lngs, lats] = [ring.map(([lng]) => lng!), ring.map(([, lat]) => lat!)]
  return (Math.max(...lngs) - Math.min(...lngs)) * (Math.max(...lats) - Math.min(...lats))
}

/** Web Mercator, with the whole world from 0 to 1. */
export function toWorld([lng, lat]: Position): Position {
  const sine = Math.sin((lat! * Math.PI) / 180)
  return [lng! / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)]
}

function toDegrees(x: number, y: number): Position {
  return [(x - 0.5) * 360, (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI]
}

/**
 * The largest box of a given shape inside an area: its centre, and its height divided by `height`.
 */
interface InnerBox {
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
function innerBox(rings: readonly (readonly Position[])[], width: number, height: number): InnerBox {
  const shrunk = rings.map((ring) => Float64Array.from(ring.flatMap(([x, y]) => [x! / width, y! / height])))
  const [west, south, east, north] = boundsOfRing(shrunk[0]!)
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

function boundsOfRing(ring: Float64Array): [number, number, number, number] {
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
