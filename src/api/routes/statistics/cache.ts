import type { Archive } from '../../../archive/archive.ts'
import type { Asker, SlicedQueries } from '../../../archive/sliced-queries.ts'
import type { Places } from '../../../domain/places.ts'
import { canonicalQuery } from '../../../filter/filter/canonical.ts'
import type { Grouping } from '../../../filter/grouping.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { SharedRuns } from '../../../lib/concurrency.ts'
import { VERSION } from '../../../version.ts'
import { CachedBody, etagOf } from '../../responses/cached-body.ts'
import { inStepPosition } from '../../responses/meta.ts'
import { type RenderedStatistics, renderStatistics } from './response.ts'

const MAX_BYTES = 32 << 20
/** Estimated memory of an entry besides its texts and bytes. */
const ENTRY_BYTES = 300

interface CacheEntry {
  readonly cached: CachedBody
  readonly validUntil: number
}

/** Keeps rendered statistics until the next event, or until a `since` window moves. */
export class StatisticsCache {
  readonly #places: Places
  readonly #queries: SlicedQueries
  readonly #entries: BoundedCache<string, CacheEntry>
  readonly #rendering = new SharedRuns<CachedBody>()
  #archive: Archive | null = null
  #seq = -1

  constructor(places: Places, queries: SlicedQueries, maxBytes = MAX_BYTES) {
    this.#places = places
    this.#queries = queries
    this.#entries = new BoundedCache(maxBytes, ({ cached }, key) => ENTRY_BYTES + key.length + cached.size)
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#entries.size
  }

  getStatistics(archive: Archive, grouping: Grouping, now: number, asker: Asker): CachedBody | Promise<CachedBody> {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
    const query = `${grouping.groups} ${grouping.timeZone} ${canonicalQuery(grouping.filter)}`
    const entry = this.#entries.get(query)
    if (entry !== undefined && now < entry.validUntil) return entry.cached
    const toCached = ({ body, validUntil, identity, seq }: RenderedStatistics): CachedBody => {
      const cached = new CachedBody(body, etagOf(`${VERSION} ${query} ${identity}`), inStepPosition(body))
      if (seq === this.#seq && archive === this.#archive) this.#entries.set(query, { cached, validUntil })
      return cached
    }
    return this.#rendering.join(
      `${this.#seq} ${query}`,
      () => asker.signal(),
      (signal) => {
        const { subject } = asker
        const rendered = this.#queries.run(archive, { subject, signal }, (view) =>
          renderStatistics(view, grouping, this.#places, now),
        )
        return rendered instanceof Promise ? rendered.then(toCached) : toCached(rendered)
      },
    )
  }

  #clear(archive: Archive): void {
    this.#entries.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}
