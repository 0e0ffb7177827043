import type { Cluster } from '../../../archive/aggregate/tiles.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import { latAt, lngAt, mercatorX, mercatorY, tileShift } from '../../../archive/columns/web-mercator.ts'
import type { Places } from '../../../domain/places.ts'
import { categoryOf, SEVERITIES } from '../../../domain/taxonomy.ts'
import type { Filter } from '../../../filter/filter/filter.ts'
import { EXTENT_BITS } from '../../../filter/map/mark-grid.ts'
import type { Tile } from '../../../filter/tile.ts'
import type { Steps } from '../../../lib/steps.ts'
import { durationMs } from '../../../lib/time.ts'
import { type Point, writeVectorTile } from './vector-tile.ts'

export const LAYER = 'incidents'

export interface RenderedTile {
  /** Null if the tile is empty. */
  readonly body: Buffer | null
  /** Without new events the tile is the same until then: incidents leave a `since` window. */
  readonly validUntil: number
  /** The last event that the tile includes. */
  readonly seq: number
}

/** Renders incidents and clusters; keeps the names of states and LGAs by code. */
export class TileRenderer {
  readonly #states: ReadonlyMap<string, string>
  readonly #lgas: ReadonlyMap<string, string>

  constructor({ states, lgas }: Places) {
    this.#states = new Map(states.map(({ code, name }) => [code, name]))
    this.#lgas = new Map(lgas.map(({ code, name }) => [code, name]))
  }

  *renderTile(view: ArchiveView, tile: Tile, filter: Filter, now: number): Steps<RenderedTile> {
    const { seq } = view.head
    const { clusters, singles, oldest } = yield* view.tileContent({ filter, now, tile })
    if (oldest === null) return { body: null, validUntil: Number.POSITIVE_INFINITY, seq }
    const points = [
      ...clusters.map((cluster) => this.#clusterPoint(cluster, tile)),
      ...singles.map((slot) => this.#singlePoint(view, slot, tile)),
    ]
    return {
      body: Buffer.from(writeVectorTile(LAYER, points)),
      validUntil: filter.since === null ? Number.POSITIVE_INFINITY : oldest + durationMs(filter.since),
      seq,
    }
  }

  #singlePoint(view: ArchiveView, slot: number, tile: Tile): Point {
    const { type, severity, confidence, precision, publishedAt, occurredAt, state, lga, lat, lng } =
      view.indexedFieldsOf(slot)
    return {
      ...positionInTile(tile, mercatorX(lng), mercatorY(lat)),
      properties: {
        id: view.idOf(slot),
        type,
        category: categoryOf(type),
        severity,
        confidence,
        precision,
        radius_km: view.radiusKmOf(slot),
        published_at: secondsOf(publishedAt),
        occurred_at: secondsOf(occurredAt),
        ...this.#areaProperties(state, lga),
      },
    }
  }

  #clusterPoint(cluster: Cluster, tile: Tile): Point {
    const { count, bySeverity, imprecise, west, north, east, south, newest, newestOccurredAt } = cluster
    const counts = Object.fromEntries(SEVERITIES.map((severity, index) => [severity, bySeverity[index]!]))
    return {
      ...positionInTile(tile, cluster.x, cluster.y),
      properties: {
        count,
        severity: SEVERITIES[bySeverity.findLastIndex((amount) => amount > 0)]!,
        ...counts,
        imprecise,
        // Rounded outwards to the far edge of the step: a `bbox` of these finds the whole cluster.
        west: roundDown(lngAt(west)),
        south: roundDown(latAt(south + 1)),
        east: roundUp(lngAt(east + 1)),
        north: roundUp(latAt(north)),
        same_point: west === east && north === south ? true : null,
        newest: secondsOf(newest),
        newest_occurred_at: secondsOf(newestOccurredAt),
        ...this.#areaProperties(cluster.state, cluster.lga),
      },
    }
  }

  #areaProperties(state: string | null, lga: string | null): Point['properties'] {
    return {
      state: state && (this.#states.get(state) ?? state),
      state_code: state,
      lga: lga && (this.#lgas.get(lga) ?? lga),
      lga_code: lga,
    }
  }
}

function secondsOf(time: number): number {
  return Math.floor(time / 1000)
}

function positionInTile(tile: Tile, x: number, y: number): Pick<Point, 'x' | 'y'> {
  const shift = tileShift(tile)
  const unit = 2 ** (shift - EXTENT_BITS)
  return { x: Math.floor((x - tile.x * 2 ** shift) / unit), y: Math.floor((y - tile.y * 2 ** shift) / unit) }
}

/** To a millionth of a degree, which is 11 cm. */
function roundDown(degrees: number): number {
  return Math.floor(degrees * 1e6) / 1e6
}

function roundUp(degrees: number): number {
  return Math.ceil(degrees * 1e6) / 1e6
}
