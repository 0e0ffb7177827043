import type { Archive } from '../../../archive/archive.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import type { Asker, SlicedQueries } from '../../../archive/sliced-queries.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { canonicalQuery } from '../../../filter/filter/canonical.ts'
import type { AreaShape } from '../../../filter/filter/filter.ts'
import { FORMATS, type FormatName } from '../../../filter/format.ts'
import { type Listing, parseListing } from '../../../filter/listing.ts'
import { layoutOf } from '../../../formats/chosen-fields.ts'
import type { Layout } from '../../../formats/layouts.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { BufferPool } from '../../../lib/buffer-pool.ts'
import { SharedRuns } from '../../../lib/concurrency.ts'
import { VERSION } from '../../../version.ts'
import { CachedBody, etagOf } from '../../responses/cached-body.ts'
import { type RenderedList, renderIncidentList } from '../../responses/incident-list.ts'

const MAX_BYTES = 64 << 20
const LISTS_SHARE = 5 / 8
/**
 * Half of what lists count, since they count their compressed forms too: all their bodies become
 * free together.
 */
const FREE_SHARE = LISTS_SHARE / 2
const QUERY_STRINGS_SHARE = 1 - LISTS_SHARE - FREE_SHARE
/** Estimated memory of an entry besides its texts and bytes. */
const ENTRY_BYTES = 300

export class CachedList extends CachedBody {
  /** The canonical query and the format. */
  readonly key: string
  readonly contentType: string
  readonly nextCursor: string | null
  readonly validUntil: number

  constructor(
    { body, pooled, inStepPosition, nextCursor, validUntil, identity }: RenderedList,
    key: string,
    contentType: string,
  ) {
    // Without `meta`: an event that does not touch the list must not change its ETag.
    super(pooled ?? body, etagOf(`${VERSION} ${key} ${identity}`), inStepPosition)
    this.key = key
    this.contentType = contentType
    this.nextCursor = nextCursor
    this.validUntil = validUntil
  }
}

/** Parses the queries of one endpoint and chooses their layout. */
export interface ListSource {
  /** Throws a `Problem` if the query is invalid. `area` is the shape of the area that it names. */
  parse(query: URLSearchParams, area: AreaShape | null): Listing
  /** `accepted` is the format that `Accept` chose; null if it accepts none. */
  layoutFor(listing: Listing, view: ArchiveView, accepted: FormatName | null): Layout
}

export function incidentListSource(places: Places): ListSource {
  return {
    parse: (query, area) => parseListing(query, places, undefined, area),
    layoutFor: ({ format, fields }, _view, accepted) => layoutOf(format ?? accepted ?? refuse(), fields),
  }
}

/** Keeps lists until the next event: between two events, each is rendered once. */
export class ListCache {
  readonly #source: ListSource
  readonly #queries: SlicedQueries
  readonly #maxBytes: number
  readonly #pool: BufferPool
  /**
   * By canonical query. Not a `BoundedCache`: both maps hold the same lists and are emptied
   * together, because a list evicted from one would stay in memory with the other.
   */
  readonly #byCanonicalQuery = new Map<string, CachedList>()
  /** By query string as received, so that a repeated query is not parsed again. */
  readonly #byQueryString: BoundedCache<string, CachedList>
  readonly #rendering = new SharedRuns<CachedList>()
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(source: ListSource, queries: SlicedQueries, maxBytes = MAX_BYTES) {
    this.#source = source
    this.#queries = queries
    this.#maxBytes = maxBytes
    this.#pool = new BufferPool(maxBytes * FREE_SHARE)
    this.#byQueryString = new BoundedCache(maxBytes * QUERY_STRINGS_SHARE, (_list, key) => ENTRY_BYTES + key.length)
  }

  /** Memory in bytes: bodies and those that are free to be reused, keys and query strings. */
  get size(): number {
    return this.#bytes + this.#pool.size + this.#byQueryString.size
  }

  /**
   * `query` has no question mark, `area` is the shape of the area that it names. Throws a `Problem`
   * if the query is invalid.
   */
  getList(
    archive: Archive,
    query: string,
    accepted: FormatName | null,
    now: number,
    asker: Asker,
    area: AreaShape | null = null,
  ): CachedList | Promise<CachedList> {
    this.#clearIfOutdated(archive)
    const key = accepted === 'json' ? query : `${accepted} ${query}`
    // With an area the same query string means something else for each account, and after a change.
    const cached = area === null ? this.#byQueryString.get(key) : undefined
    if (cached !== undefined && now < cached.validUntil) return cached
    const listing = this.#source.parse(new URLSearchParams(query), area)
    const list = this.getListing(archive, listing, accepted, now, asker)
    if (list instanceof Promise || area !== null) return list
    if (this.#byCanonicalQuery.get(list.key) === list) this.#byQueryString.set(key, list)
    return list
  }

  /** For a listing that is already parsed, such as that of a question which is no query string. */
  getListing(
    archive: Archive,
    listing: Listing,
    accepted: FormatName | null,
    now: number,
    asker: Asker,
  ): CachedList | Promise<CachedList> {
    this.#clearIfOutdated(archive)
    const layoutFor = (view: ArchiveView) => this.#source.layoutFor(listing, view, accepted)
    const { name, contentType } = layoutFor(archive.view)
    const key = `${canonicalQuery(listing.filter)} ${listing.order} ${listing.limit} ${listing.cursor} ${name}`
    const cached = this.#byCanonicalQuery.get(key)
    if (cached !== undefined && now < cached.validUntil) return cached
    const toCached = (rendered: RenderedList): CachedList => {
      const list = new CachedList(rendered, key, contentType)
      if (rendered.seq === this.#seq && archive === this.#archive) this.#addList(key, list)
      return list
    }
    return this.#rendering.join(
      `${this.#seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const { subject } = asker
        const rendered = this.#queries.run(archive, { subject, signal }, (view) =>
          renderIncidentList(view, listing, now, layoutFor(view), this.#pool),
        )
        return rendered instanceof Promise ? rendered.then(toCached) : toCached(rendered)
      },
    )
  }

  #addList(key: string, list: CachedList): void {
    const bytes = ENTRY_BYTES + key.length + list.size
    if (this.#bytes + bytes > this.#maxBytes * LISTS_SHARE) this.#clear(this.#archive!)
    if (bytes > this.#maxBytes / 2) return
    const replaced = this.#byCanonicalQuery.get(key)
    // Not released: a query string may still lead to it. Its bytes are collected.
    if (replaced !== undefined) this.#bytes -= ENTRY_BYTES + key.length + replaced.size
    this.#byCanonicalQuery.set(key, list)
    this.#bytes += bytes
  }

  #clearIfOutdated(archive: Archive): void {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
  }

  #clear(archive: Archive): void {
    for (const list of this.#byCanonicalQuery.values()) list.release()
    this.#byCanonicalQuery.clear()
    this.#byQueryString.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
    this.#bytes = 0
  }
}

function refuse(): never {
  const allowed = Object.values(FORMATS)
  throw new Problem('not_acceptable', `Accept must allow one of ${allowed.join(', ')}; or leave it out.`, {
    errors: [{ message: 'the Accept header allows none of the available formats', allowed }],
  })
}
