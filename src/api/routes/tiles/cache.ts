import type { Archive } from '../../../archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../../archive/columns/web-mercator.ts'
import type { Asker, SlicedQueries } from '../../../archive/sliced-queries.ts'
import { canonicalQuery } from '../../../filter/filter/canonical.ts'
import type { Filter } from '../../../filter/filter/filter.ts'
import { matches } from '../../../filter/filter/matches.ts'
import type { IndexedFields } from '../../../filter/indexed-fields.ts'
import { MAX_ZOOM, type Tile } from '../../../filter/tile.ts'
import { SharedRuns } from '../../../lib/concurrency.ts'
import { CachedBody } from '../../responses/cached-body.ts'
import type { RenderedTile, TileRenderer } from './response.ts'

const MAX_BYTES = 32 << 20
/** Estimated memory of an entry besides its tile and its texts. */
const ENTRY_BYTES = 600

/** An event is compared with every filter of its tiles, one tile for each zoom. */
const MAX_FILTERS_PER_TILE = 128
/** After more events than this, emptying the cache costs less than comparing them. */
const MAX_COMPARED_CHANGES = 16

interface CacheEntry {
  readonly filter: Filter
  readonly tile: CachedBody | null
  readonly validUntil: number
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

  /** Estimated memory in bytes. */
  get size(): number {
    return this.#bytes
  }

  /** Returns null for an empty tile. */
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
    if (entry !== undefined && now < entry.validUntil) return entry.tile
    const toCached = ({ body, validUntil, seq }: RenderedTile): CachedBody | null => {
      const rendered = body && new CachedBody(body)
      this.#addEntry(tileKey, query, seq, archive, {
        filter,
        tile: rendered,
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
