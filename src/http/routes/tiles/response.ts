import type { Cluster } from '../../../archive/aggregate/clusters.ts'
import type { Archive } from '../../../archive/archive.ts'
import { latAt, lngAt, mercatorX, mercatorY, tileShift } from '../../../archive/columns/web-mercator.ts'
import type { Places } from '../../../domain/places.ts'
import { categoryOf, SEVERITIES } from '../../../domain/taxonomy.ts'
import { durationMs } from '../../../lib/time/time.ts'
import type { Filter } from '../../../query/filter/filter.ts'
import type { Tile } from '../../../query/tile.ts'
import { EXTENT_BITS, type Point, vectorTile } from './vector-tile.ts'

export const LAYER = 'incidents'

export interface RenderedTile {
  /** Null where the tile is empty. */
  readonly body: Buffer | null
  /** Up to when the same question has the same answer, as long as nothing happens: `since` lets incidents fall out of it. */
  readonly validUntil: number
}

/** Makes tiles, with the names of places at hand. */
export class TileRenderer {
  readonly #states: ReadonlyMap<string, string>
  readonly #lgas: ReadonlyMap<string, string>

  constructor({ states, lgas }: Places) {
    this.#states = new Map(states.map(({ code, name }) => [code, name]))
    this.#lgas = new Map(lgas.map(({ code, name }) => [code, name]))
  }

  make(archive: Archive, tile: Tile, filter: Filter, now: number): RenderedTile {
    const { clusters, singles, oldest } = archive.tileContent({ filter, now, tile })
    if (oldest === null) return { body: null, validUntil: Number.POSITIVE_INFINITY }
    const points = [
      ...clusters.map((cluster) => clusterPoint(cluster, tile)),
      ...singles.map((slot) => this.#singlePoint(archive, slot, tile)),
    ]
    return {
      body: Buffer.from(vectorTile(LAYER, points)),
      validUntil: filter.since === null ? Number.POSITIVE_INFINITY : oldest + durationMs(filter.since),
    }
  }

  #singlePoint(archive: Archive, slot: number, tile: Tile): Point {
    const { type, severity, confidence, publishedAt, state, lga, lat, lng } = archive.indexedFieldsOf(slot)
    const { precision, radiusKm } = archive.locationPrecisionOf(slot)
    return {
      ...pointIn(tile, mercatorX(lng), mercatorY(lat)),
      properties: {
        id: archive.idOf(slot),
        type,
        category: categoryOf(type),
        severity,
        confidence,
        precision,
        radius_km: radiusKm,
        published_at: Math.floor(publishedAt / 1000),
        state: this.#states.get(state) ?? state,
        state_code: state,
        lga: lga && (this.#lgas.get(lga) ?? lga),
        lga_code: lga,
      },
    }
  }
}

function clusterPoint(cluster: Cluster, tile: Tile): Point {
  const { count, bySeverity, west, north, east, south, newest } = cluster
  const counts = Object.fromEntries(SEVERITIES.map((severity, index) => [severity, bySeverity[index]!]))
  return {
    ...pointIn(tile, cluster.x, cluster.y),
    properties: {
      count,
      severity: SEVERITIES[bySeverity.findLastIndex((of) => of > 0)]!,
      ...counts,
      // Outwards, and to the far edge of the last step: the list's `bbox` with these finds every one of them.
      west: down(lngAt(west)),
      south: down(latAt(south + 1)),
      east: up(lngAt(east + 1)),
      north: up(latAt(north)),
      newest: Math.floor(newest / 1000),
    },
  }
}

function pointIn(tile: Tile, x: number, y: number): Pick<Point, 'x' | 'y'> {
  const shift = tileShift(tile)
  const unit = 2 ** (shift - EXTENT_BITS)
  return { x: Math.floor((x - tile.x * 2 ** shift) / unit), y: Math.floor((y - tile.y * 2 ** shift) / unit) }
}

/** A millionth of a degree is 11 cm. */
function down(degrees: number): number {
  return Math.floor(degrees * 1e6) / 1e6
}

function up(degrees: number): number {
  return Math.ceil(degrees * 1e6) / 1e6
}
