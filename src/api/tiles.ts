import { PbfWriter } from 'pbf'
import Type from 'typebox'
import type { Cluster } from '../archive/aggregate/tiles.ts'
import type { Archive, ArchiveView } from '../archive/archive.ts'
import { latAt, lngAt, MERCATOR_BITS, mercatorX, mercatorY, tileShift } from '../archive/columns/columns.ts'
import type { Asker, SlicedQueries } from '../archive/sliced-queries.ts'
import type { Places } from '../domain/places.ts'
import { categoryOf, SEVERITIES } from '../domain/taxonomy.ts'
import { canonicalQuery, type Filter, type IndexedFields } from '../filter/filter.ts'
import { matches } from '../filter/matches.ts'
import { INDEXED_FILTER_PARAMETERS, type NumberBounds } from '../filter/parameters.ts'
import { EXTENT_BITS, MAX_ZOOM, parseTile, type Tile } from '../filter/tile.ts'
import { SharedRuns } from '../lib/concurrency.ts'
import type { Steps } from '../lib/steps.ts'
import { durationMs, isCurrent, type Timed } from '../lib/time.ts'
import { ANSWER, writeCaching } from './caching.ts'
import { AREA_PROBLEMS, endpoint, NEWNESS_PARAMETERS, SEARCH_PROBLEMS } from './contract/endpoint.ts'
import { areaOfQuery, parametersOf, QueryClient } from './request.ts'
import { CachedBody, sendBytes } from './response.ts'
import type { Router } from './router.ts'

const COLUMN_OR_ROW = { type: 'integer', minimum: 0, maximum: 2 ** MAX_ZOOM - 1 } as const satisfies NumberBounds

const readTile = endpoint('readTile', 'GET /v1/tiles/{z}/{x}/{y}.mvt', {
  sample: { z: '5', x: '16', y: '15', since: '30d' },
  tag: 'Incidents',
  summary: 'Read a map tile',
  description:
    'The incidents that match all filters within one map tile (Web Mercator), as a Mapbox Vector Tile 2: the layer `incidents`, extent 4096, points only. ' +
    'A tile of 512 pixels has a grid of 8 × 8 cells, aligned with the world; each cell has at most one mark, at every zoom and whatever the tile holds. ' +
    'Every incident is in exactly one mark of each zoom, so the counts of a zoom add up to the list. ' +
    'A cell with one incident is a point at its position with `id`, `type`, `category`, `severity`, `confidence`, `precision`, `radius_km`, `published_at`, `occurred_at`, `state`, `state_code`, `lga` and `lga_code`; unknown values are omitted. ' +
    'A cell with several is a cluster with `count`, `severity` (the worst in it), the numbers of `low`, `medium`, `high` and `critical` incidents, `imprecise` (how many are known only to their LGA or state), their bounding box (`west`, `south`, `east`, `north`, usable as `bbox`), `same_point` (`true` if all are at one point; otherwise omitted), `newest` and `newest_occurred_at` (the latest `published_at` and `occurred_at`), and `state`, `state_code`, `lga` and `lga_code` where all have the same. ' +
    'A cluster is at the mean position of its incidents, moved so that a disc of 20 pixels around it stays inside its cell: discs never touch, across tiles too. Times are seconds since 1970. Clusters come first, then single incidents, the newest last.',
  scope: 'read',
  pathParameters: {
    z: {
      description: `The zoom, from 0 to ${MAX_ZOOM}; maps enlarge the tiles of zoom ${MAX_ZOOM} beyond that.`,
      number: { type: 'integer', minimum: 0, maximum: MAX_ZOOM },
    },
    x: { description: 'The column, from 0 in the west to 2^z − 1.', number: COLUMN_OR_ROW },
    y: { description: 'The row, from 0 in the north to 2^z − 1.', number: COLUMN_OR_ROW },
  },
  query: { ...INDEXED_FILTER_PARAMETERS, ...NEWNESS_PARAMETERS },
  requestHeaders: ['If-None-Match'],
  response: {
    status: 200,
    description: 'The tile.',
    schema: Type.Unsafe({ description: 'A Mapbox Vector Tile.' }),
    contentType: 'application/vnd.mapbox-vector-tile',
  },
  otherResponses: [{ status: 204, description: 'The tile has no incidents.', schema: null }],
  problems: [...SEARCH_PROBLEMS, ...AREA_PROBLEMS],
})

export function tileRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const { places } = geography
  const cache = new TileCache(new TileRenderer(places), queries)

  router.add(readTile, async ({ request, reply, parameters, services: { archive, store } }) => {
    const tile = parseTile(parameters)
    const { filter } = parametersOf(request, readTile, places, await areaOfQuery(request, store, places))
    const cached = await cache.getTile(archive, tile, filter, clock(), new QueryClient(request, reply))
    if (cached === null) {
      writeCaching(request, reply, ANSWER)
      return reply.status(204).send()
    }
    return sendBytes(request, reply, cached, readTile.response.contentType)
  })
}

const MAX_BYTES = 32 << 20
/** Estimated memory of an entry besides its tile and its texts. */
const ENTRY_BYTES = 600

/** An event is compared with every filter of its tiles, one tile for each zoom. */
const MAX_FILTERS_PER_TILE = 128
/** After more events than this, emptying the cache costs less than comparing them. */
const MAX_COMPARED_CHANGES = 16

interface CacheEntry extends Timed {
  readonly filter: Filter
  readonly tile: CachedBody | null
  readonly bytes: number
}

/**
 * Keeps tiles until a matching incident appears, changes or disappears inside them. Most events
 * change one tile per zoom, so a map's other tiles stay cached.
 */
export class TileCache {
  readonly #renderer: TileRenderer
  readonly #queries: SlicedQueries
  readonly #rendering = new SharedRuns<CachedBody | null>()
  readonly #maxBytes: number
  /**
   * By tile, then by filter; most recently used tile last. Not a `BoundedCache`: an event removes
   * single filters of a tile, eviction removes a tile with all its filters.
   */
  readonly #tiles = new Map<string, Map<string, CacheEntry>>()
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(renderer: TileRenderer, queries: SlicedQueries, maxBytes = MAX_BYTES) {
    this.#renderer = renderer
    this.#queries = queries
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#bytes
  }

  getTile(
    archive: Archive,
    tile: Tile,
    filter: Filter,
    now: number,
    asker: Asker,
  ): CachedBody | null | Promise<CachedBody | null> {
    this.#applyChanges(archive, now)
    const tileKey = tileKeyOf(tile)
    const query = canonicalQuery(filter)
    const filters = this.#tiles.get(tileKey)
    const entry = filters?.get(query)
    if (filters !== undefined) {
      this.#tiles.delete(tileKey)
      this.#tiles.set(tileKey, filters)
    }
    if (entry !== undefined && isCurrent(entry, now)) return entry.tile
    const toCached = ({ body, validUntil, seq }: RenderedTile): CachedBody | null => {
      const rendered = body && new CachedBody(body)
      this.#addEntry(tileKey, query, seq, archive, {
        filter,
        tile: rendered,
        madeAt: now,
        validUntil,
        bytes: bytesOf(query, rendered),
      })
      return rendered
    }
    return this.#rendering.join(
      `${archive.head.seq} ${tileKey} ${query}`,
      () => asker.signal(),
      (signal) => {
        const { subject } = asker
        const rendered = this.#queries.run(archive, { subject, signal }, (view) =>
          this.#renderer.renderTile(view, tile, filter, now),
        )
        return rendered instanceof Promise ? rendered.then(toCached) : toCached(rendered)
      },
    )
  }

  /** Skips a tile that is older than the cache: an event since then may have changed it. */
  #addEntry(tileKey: string, query: string, seq: number, archive: Archive, entry: CacheEntry): void {
    if (archive !== this.#archive || seq !== this.#seq) return
    let filters = this.#tiles.get(tileKey)
    if (filters === undefined) {
      filters = new Map()
      this.#tiles.set(tileKey, filters)
    }
    const replaced = filters.get(query)
    if (replaced !== undefined) this.#remove(filters, query, replaced)
    filters.set(query, entry)
    this.#bytes += entry.bytes
    const [oldest] = filters
    if (filters.size > MAX_FILTERS_PER_TILE && oldest !== undefined) this.#remove(filters, ...oldest)
    this.#evict()
  }

  #applyChanges(archive: Archive, now: number): void {
    const seq = this.#seq
    const isNear = archive === this.#archive && archive.head.seq - seq <= MAX_COMPARED_CHANGES
    const changes = isNear ? archive.changesSince(seq) : null
    if (changes === null) {
      this.#tiles.clear()
      this.#bytes = 0
    }
    for (const { before, after } of changes ?? []) {
      if (before) this.#invalidate(before, now)
      if (after) this.#invalidate(after, now)
    }
    this.#archive = archive
    this.#seq = archive.head.seq
  }

  #invalidate(incident: IndexedFields, now: number): void {
    const [x, y] = [mercatorX(incident.lng), mercatorY(incident.lat)]
    for (let z = 0; z <= MAX_ZOOM; z++) {
      const shift = MERCATOR_BITS - z
      const tileKey = tileKeyOf({ z, x: x >> shift, y: y >> shift })
      const filters = this.#tiles.get(tileKey)
      if (filters === undefined) continue
      for (const [query, entry] of filters) {
        if (matches(entry.filter, incident, now)) this.#remove(filters, query, entry)
      }
      if (filters.size === 0) this.#tiles.delete(tileKey)
    }
  }

  #remove(filters: Map<string, CacheEntry>, query: string, { bytes }: CacheEntry): void {
    filters.delete(query)
    this.#bytes -= bytes
  }

  /** Least recently used first. */
  #evict(): void {
    for (const [tileKey, filters] of this.#tiles) {
      if (this.#bytes <= this.#maxBytes) return
      for (const { bytes } of filters.values()) this.#bytes -= bytes
      this.#tiles.delete(tileKey)
    }
  }
}

/** The filter that the entry keeps is about as long as its text. */
function bytesOf(query: string, tile: CachedBody | null): number {
  return ENTRY_BYTES + 3 * query.length + (tile?.size ?? 0)
}

function tileKeyOf({ z, x, y }: Tile): string {
  return `${z}/${x}/${y}`
}

interface RenderedTile {
  readonly body: Buffer | null
  /** Without new events the tile is the same until then: incidents leave a `since` window. */
  readonly validUntil: number
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
      body: Buffer.from(writeVectorTile('incidents', points)),
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

type Value = string | number | boolean

/** Coordinates are below 2 ** EXTENT_BITS. Null properties are left out: the format has no null. */
export interface Point {
  readonly x: number
  readonly y: number
  readonly properties: Readonly<Record<string, Value | null>>
}

// The field numbers of https://github.com/mapbox/vector-tile-spec/tree/master/2.1
const TILE = { layer: 3 } as const
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 } as const
const FEATURE = { tags: 2, type: 3, geometry: 4 } as const
const VALUE = { string: 1, double: 3, uint: 5, bool: 7 } as const
const POINT = 1
/** The geometry command for one `MoveTo`. */
const MOVE_TO = (1 << 3) | 1

/** Mapbox Vector Tile 2 with one layer of points. */
function writeVectorTile(layer: string, points: Iterable<Point>): Uint8Array {
  const tile = new PbfWriter()
  tile.writeMessage(TILE.layer, writeLayer, { layer, points })
  return tile.finish()
}

function writeLayer({ layer, points }: { layer: string; points: Iterable<Point> }, writer: PbfWriter): void {
  writer.writeVarintField(LAYER.version, 2)
  writer.writeStringField(LAYER.name, layer)
  writer.writeVarintField(LAYER.extent, 1 << EXTENT_BITS)
  const keys = new ValueIndex<string>()
  const values = new ValueIndex<Value>()
  for (const { x, y, properties } of points) {
    const tags: number[] = []
    for (const key in properties) {
      const value = properties[key]!
      if (value !== null) tags.push(keys.indexOf(key), values.indexOf(value))
    }
    writer.writeMessage(LAYER.feature, writeFeature, { x, y, tags })
  }
  for (const key of keys) writer.writeStringField(LAYER.key, key)
  for (const value of values) writer.writeMessage(LAYER.value, writeValue, value)
}

function writeFeature({ x, y, tags }: { x: number; y: number; tags: number[] }, writer: PbfWriter): void {
  writer.writePackedVarint(FEATURE.tags, tags)
  writer.writeVarintField(FEATURE.type, POINT)
  // Zigzag encoding doubles non-negative numbers; these are never negative.
  writer.writePackedVarint(FEATURE.geometry, [MOVE_TO, x * 2, y * 2])
}

function writeValue(value: Value, writer: PbfWriter): void {
  if (typeof value === 'string') writer.writeStringField(VALUE.string, value)
  else if (typeof value === 'boolean') writer.writeBooleanField(VALUE.bool, value)
  else if (Number.isInteger(value) && value >= 0) writer.writeVarintField(VALUE.uint, value)
  else writer.writeDoubleField(VALUE.double, value)
}

/** Numbers distinct values in order of first use. */
class ValueIndex<Item> {
  readonly #numbers = new Map<Item, number>()

  indexOf(value: Item): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(value, number)
    }
    return number
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#numbers.keys()
  }
}
