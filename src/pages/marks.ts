import type { Cluster } from '../archive/aggregate/tiles.ts'
import type { ArchiveView } from '../archive/archive.ts'
import { latAt, lngAt, MERCATOR_BITS, mercatorX, mercatorY } from '../archive/columns/columns.ts'
import { type IncidentType, SEVERITIES, type Severity } from '../domain/taxonomy.ts'
import type { Filter } from '../filter/filter.ts'
import type { Tile } from '../filter/tile.ts'
import type { Box } from '../lib/geometry.ts'
import type { Steps } from '../lib/steps.ts'
import { durationMs } from '../lib/time.ts'
import { type Html, html } from './html.ts'

/** Positions in shares of the world. */
export type Mark =
  | {
      readonly kind: 'cluster'
      readonly x: number
      readonly y: number
      readonly count: number
      /** From least to worst. */
      readonly bySeverity: readonly number[]
      /** The true extent of its incidents, in degrees. */
      readonly extent: Box
    }
  | {
      readonly kind: 'incident'
      readonly x: number
      readonly y: number
      readonly id: string
      readonly severity: Severity
      readonly type: IncidentType
      readonly state: string
    }

const WORLD = 2 ** MERCATOR_BITS

/** Finds the marks in the tiles that the box touches. */
export function* findMarks(
  view: ArchiveView,
  filter: Filter,
  now: number,
  box: Box,
  zoom: number,
): Steps<{ readonly marks: Mark[]; readonly validUntil: number }> {
  const marks: Mark[] = []
  let oldest = Number.POSITIVE_INFINITY
  for (const tile of tilesIn(box, zoom)) {
    const content = yield* view.tileContent({ filter, now, tile })
    oldest = Math.min(oldest, content.oldest ?? oldest)
    marks.push(...content.clusters.map(clusterMark), ...content.singles.map((slot) => incidentMark(view, slot)))
  }
  // From north to south, so that those who step through the links cross the map once.
  marks.sort((one, other) => one.y - other.y)
  return { marks, validUntil: filter.since === null ? Number.POSITIVE_INFINITY : oldest + durationMs(filter.since) }
}

function tilesIn({ west, south, east, north }: Box, z: number): Tile[] {
  const shift = MERCATOR_BITS - z
  const tiles: Tile[] = []
  for (let y = mercatorY(north) >> shift; y <= mercatorY(south) >> shift; y++)
    for (let x = mercatorX(west) >> shift; x <= mercatorX(east) >> shift; x++) tiles.push({ z, x, y })
  return tiles
}

function clusterMark({ x, y, count, bySeverity, west, north, east, south }: Cluster): Mark {
  const extent = { west: lngAt(west), south: latAt(south + 1), east: lngAt(east + 1), north: latAt(north) }
  return { kind: 'cluster', x: x / WORLD, y: y / WORLD, count, bySeverity, extent }
}

function incidentMark(view: ArchiveView, slot: number): Mark {
  const { lat, lng, severity, type, state } = view.indexedFieldsOf(slot)
  const [x, y] = [mercatorX(lng) / WORLD, mercatorY(lat) / WORLD]
  return { kind: 'incident', x, y, id: view.idOf(slot), severity, type, state }
}

/**
 * Between two colours, so that they can be told apart without seeing the hue; a share of the ring.
 */
const GAP = 0.02

/** The rings around the dot of a single incident: pixels from its edge, by severity. */
export const DOT_RINGS: Readonly<Record<Severity, readonly number[]>> = {
  low: [],
  medium: [],
  high: [3],
  critical: [3, 6],
}

/**
 * The shares of the severities around a disc, the worst first, clockwise from the top.
 * `attributes` are those that give a line its colour.
 */
export function severityRing(
  bySeverity: readonly number[],
  radius: number,
  attributes: (severity: Severity) => Html,
): Html[] {
  const count = bySeverity.reduce((sum, amount) => sum + amount, 0)
  const parts = SEVERITIES.map((severity, index) => ({ severity, share: bySeverity[index]! / count }))
    .toReversed()
    .filter(({ share }) => share > 0)
  const size = rounded(radius)
  if (parts.length === 1) return [html`<circle ${attributes(parts[0]!.severity)} r="${size}"/>`]
  let start = 0
  return parts.map(({ severity, share }) => {
    const from = pointAt(start + GAP / 2, radius)
    const to = pointAt(Math.max(start + share - GAP / 2, start + GAP), radius)
    start += share
    return html`<path ${attributes(severity)} d="M${from}A${size} ${size} 0 ${share > 0.5 ? 1 : 0} 1 ${to}"/>`
  })
}

function pointAt(share: number, radius: number): string {
  const angle = 2 * Math.PI * share
  return `${rounded(radius * Math.sin(angle))} ${rounded(-radius * Math.cos(angle))}`
}

/** One decimal, where it is needed: there are thousands of these numbers. */
function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10
}

const THOUSAND = 1000
const MILLION = 1_000_000

/** The count in at most four characters, as the tiles show it: `384`, `1.2k`, `12k`, `1.3M`. */
export function shortCount(count: number): string {
  if (count >= 9.95 * MILLION) return `${Math.round(count / MILLION)}M`
  if (count >= 999_500) return `${tenths(count / MILLION)}M`
  if (count >= 9950) return `${Math.round(count / THOUSAND)}k`
  return count >= THOUSAND ? `${tenths(count / THOUSAND)}k` : String(count)
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
