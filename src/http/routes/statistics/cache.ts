import type { Archive } from '../../../archive/archive.ts'
import type { Places } from '../../../domain/places.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import type { Grouping } from '../../../query/grouping.ts'
import { VERSION } from '../../../version.ts'
import { CachedBody, etagOf } from '../../responses/cached-body.ts'
import { inStepPosition } from '../../responses/meta.ts'
import { renderStatistics } from './response.ts'

const MAX_BYTES = 32 << 20

interface CacheEntry {
  readonly cached: CachedBody
  readonly validUntil: number
}

/** Keeps rendered statistics until the next event, or until a `since` window moves. */
export class StatisticsCache {
  readonly #places: Places
  readonly #entries = new BoundedCache<string, CacheEntry>(MAX_BYTES, ({ cached }) => cached.body.length)
  #archive: Archive | null = null
  #seq = -1

  constructor(places: Places) {
    this.#places = places
  }

  getStatistics(archive: Archive, grouping: Grouping, now: number): CachedBody {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
    const query = `${grouping.groups} ${canonicalQuery(grouping.filter)}`
    const entry = this.#entries.get(query)
    if (entry !== undefined && now < entry.validUntil) return entry.cached
    const { body, validUntil, identity } = renderStatistics(archive, grouping, this.#places, now)
    const cached = new CachedBody(body, etagOf(`${VERSION} ${query} ${identity}`), inStepPosition(body))
    this.#entries.set(query, { cached, validUntil })
    return cached
  }

  #clear(archive: Archive): void {
    this.#entries.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}
