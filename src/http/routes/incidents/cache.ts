import type { Archive } from '../../../archive/archive.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { LAYOUTS, type Layout } from '../../../formats/layouts.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import { FORMATS, type FormatName } from '../../../query/format.ts'
import { type Listing, parseListing } from '../../../query/listing.ts'
import { VERSION } from '../../../version.ts'
import { CachedBody, etagOf } from '../../responses/cached-body.ts'
import { type RenderedList, renderIncidentList } from '../../responses/incident-list.ts'

const MAX_BYTES = 64 << 20
const MAX_QUERY_STRINGS = 20_000

export class CachedList extends CachedBody {
  readonly contentType: string
  readonly nextCursor: string | null
  readonly validUntil: number

  constructor(
    { body, inStepPosition, nextCursor, validUntil, identity }: RenderedList,
    query: string,
    contentType: string,
  ) {
    // Hashes the identity: the body is much longer.
    super(body, etagOf(`${VERSION} ${query} ${identity}`), inStepPosition)
    this.contentType = contentType
    this.nextCursor = nextCursor
    this.validUntil = validUntil
  }
}

/** Parses the queries of one endpoint and chooses their layout. */
export interface ListSource {
  /** Throws a `Problem` if the query is invalid. */
  parse(query: URLSearchParams): Listing
  /** `accepted` is the format that `Accept` chose; null if it accepts none. */
  layoutFor(listing: Listing, archive: Archive, accepted: FormatName | null): Layout
}

export function incidentListSource(places: Places): ListSource {
  return {
    parse: (query) => parseListing(query, places),
    layoutFor: ({ format }, _archive, accepted) => LAYOUTS[format ?? accepted ?? refuse()],
  }
}

/** Keeps lists until the next event: between two events, each is rendered once. */
export class ListCache {
  readonly #source: ListSource
  /**
   * By canonical query. Not a `BoundedCache`: both maps hold the same lists and are emptied
   * together, because a list evicted from one would stay in memory with the other.
   */
  readonly #byCanonicalQuery = new Map<string, CachedList>()
  /** By query string as received, so that a repeated query is not parsed again. */
  readonly #byQueryString = new BoundedCache<string, CachedList>(MAX_QUERY_STRINGS)
  #archive: Archive | null = null
  #seq = -1
  #bytes = 0

  constructor(source: ListSource) {
    this.#source = source
  }

  /** `query` has no question mark. Throws a `Problem` if it is invalid. */
  getList(archive: Archive, query: string, accepted: FormatName | null, now: number): CachedList {
    if (archive !== this.#archive || archive.head.seq !== this.#seq || this.#bytes > MAX_BYTES) this.#clear(archive)
    const key = accepted === 'json' ? query : `${accepted} ${query}`
    const cached = this.#byQueryString.get(key)
    if (cached !== undefined && now < cached.validUntil) return cached
    const listing = this.#source.parse(new URLSearchParams(query))
    const list = this.#getByCanonicalQuery(archive, listing, this.#source.layoutFor(listing, archive, accepted), now)
    this.#byQueryString.set(key, list)
    return list
  }

  #getByCanonicalQuery(archive: Archive, listing: Listing, layout: Layout, now: number): CachedList {
    const key = `${canonicalQuery(listing.filter)} ${listing.order} ${listing.limit} ${listing.cursor} ${layout.name}`
    const cached = this.#byCanonicalQuery.get(key)
    if (cached !== undefined && now < cached.validUntil) return cached
    const list = new CachedList(renderIncidentList(archive, listing, now, layout), key, layout.contentType)
    this.#byCanonicalQuery.set(key, list)
    this.#bytes += list.body.length
    return list
  }

  #clear(archive: Archive): void {
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
