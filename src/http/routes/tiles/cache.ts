import type { Archive } from '../../../archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../../archive/columns/web-mercator.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import type { Filter } from '../../../query/filter/filter.ts'
import { matches } from '../../../query/filter/matches.ts'
import type { IndexedFields } from '../../../query/indexed-fields.ts'
import { MAX_ZOOM, type Tile } from '../../../query/tile.ts'
import { CachedBody } from '../../responses/cached-body.ts'
import type { TileRenderer } from './response.ts'

const MOST_BYTES = 32 << 20
/** What an entry costs besides its bytes. */
const ENTRY_BYTES = 600

interface Kept {
  readonly filter: Filter
  readonly answer: CachedBody | null
  readonly validUntil: number
  readonly bytes: number
}

/**
 * Tiles, kept until an event touches them: until an incident that their filter matches comes to their place, leaves it or
 * changes there. Most events touch one tile of each zoom, so that a map's other tiles need not be made again.
 */
export class TileCache {
  readonly #maker: TileRenderer
  readonly #mostBytes: number
  /**
   * By tile, then by filter; the tile asked for last stands last. Not a `BoundedCache`: an event
   * removes single filters of a tile, and eviction removes a tile with all its filters.
   */
  readonly #tiles = new Map<string, Map<string, Kept>>()
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(maker: TileRenderer, mostBytes = MOST_BYTES) {
    this.#maker = maker
    this.#mostBytes = mostBytes
  }

  /** Bytes held. */
  get size(): number {
    return this.#bytes
  }

  /** Null where the tile is empty. */
  find(archive: Archive, tile: Tile, filter: Filter, now: number): CachedBody | null {
    this.#follow(archive, now)
    const name = nameOf(tile)
    const question = canonicalQuery(filter)
    const filters = this.#tiles.get(name) ?? new Map<string, Kept>()
    const known = filters.get(question)
    this.#tiles.delete(name)
    this.#tiles.set(name, filters)
    if (known !== undefined && now < known.validUntil) return known.answer
    if (known !== undefined) this.#forget(filters, question, known)
    const { body, validUntil } = this.#maker.make(archive, tile, filter, now)
    const answer = body && new CachedBody(body)
    // Twice: the compressed forms are kept too.
    const bytes = ENTRY_BYTES + 2 * (body?.length ?? 0)
    filters.set(question, { filter, answer, validUntil, bytes })
    this.#bytes += bytes
    this.#makeRoom()
    return answer
  }

  #follow(archive: Archive, now: number): void {
    const changes = archive === this.#archive ? archive.changesSince(this.#seq) : null
    if (changes === null) {
      this.#tiles.clear()
      this.#bytes = 0
    }
    for (const { before, after } of changes ?? []) {
      if (before) this.#touch(before, now)
      if (after) this.#touch(after, now)
    }
    this.#archive = archive
    this.#seq = archive.head.seq
  }

  #touch(facts: IndexedFields, now: number): void {
    const [x, y] = [mercatorX(facts.lng), mercatorY(facts.lat)]
    for (let z = 0; z <= MAX_ZOOM; z++) {
      const shift = MERCATOR_BITS - z
      const filters = this.#tiles.get(nameOf({ z, x: x >> shift, y: y >> shift }))
      if (filters === undefined) continue
      for (const [question, kept] of filters) {
        if (matches(kept.filter, facts, now)) this.#forget(filters, question, kept)
      }
    }
  }

  #forget(filters: Map<string, Kept>, question: string, { bytes }: Kept): void {
    filters.delete(question)
    this.#bytes -= bytes
  }

  /** What has not been asked for the longest goes first. */
  #makeRoom(): void {
    for (const [name, filters] of this.#tiles) {
      if (this.#bytes <= this.#mostBytes) return
      for (const { bytes } of filters.values()) this.#bytes -= bytes
      this.#tiles.delete(name)
    }
  }
}

function nameOf({ z, x, y }: Tile): string {
  return `${z}/${x}/${y}`
}
