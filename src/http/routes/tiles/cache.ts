import type { Archive } from '../../../archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../../archive/columns/web-mercator.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import type { Filter } from '../../../query/filter/filter.ts'
import { matches } from '../../../query/filter/matches.ts'
import type { IndexedFields } from '../../../query/indexed-fields.ts'
import { MAX_ZOOM, type Tile } from '../../../query/tile.ts'
import { CachedBody } from '../../responses/cached-body.ts'
import type { TileRenderer } from './response.ts'

const MAX_BYTES = 32 << 20
/** Estimated memory of an entry besides its tile. */
const ENTRY_BYTES = 600

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
  readonly #maxBytes: number
  /**
   * By tile, then by filter; most recently used tile last. Not a `BoundedCache`: an event removes
   * single filters of a tile, eviction removes a tile with all its filters.
   */
  readonly #tiles = new Map<string, Map<string, CacheEntry>>()
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(renderer: TileRenderer, maxBytes = MAX_BYTES) {
    this.#renderer = renderer
    this.#maxBytes = maxBytes
  }

  /** Estimated memory in bytes. */
  get size(): number {
    return this.#bytes
  }

  /** Returns null for an empty tile. */
  getTile(archive: Archive, tile: Tile, filter: Filter, now: number): CachedBody | null {
    this.#applyChanges(archive, now)
    const tileKey = tileKeyOf(tile)
    const query = canonicalQuery(filter)
    const filters = this.#tiles.get(tileKey) ?? new Map<string, CacheEntry>()
    const entry = filters.get(query)
    this.#tiles.delete(tileKey)
    this.#tiles.set(tileKey, filters)
    if (entry !== undefined && now < entry.validUntil) return entry.tile
    if (entry !== undefined) this.#remove(filters, query, entry)
    const { body, validUntil } = this.#renderer.renderTile(archive, tile, filter, now)
    const rendered = body && new CachedBody(body)
    // Twice, because the compressed forms are kept as well.
    const bytes = ENTRY_BYTES + 2 * (body?.length ?? 0)
    filters.set(query, { filter, tile: rendered, validUntil, bytes })
    this.#bytes += bytes
    this.#evict()
    return rendered
  }

  #applyChanges(archive: Archive, now: number): void {
    const changes = archive === this.#archive ? archive.changesSince(this.#seq) : null
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
      const filters = this.#tiles.get(tileKeyOf({ z, x: x >> shift, y: y >> shift }))
      if (filters === undefined) continue
      for (const [query, entry] of filters) {
        if (matches(entry.filter, incident, now)) this.#remove(filters, query, entry)
      }
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

function tileKeyOf({ z, x, y }: Tile): string {
  return `${z}/${x}/${y}`
}
