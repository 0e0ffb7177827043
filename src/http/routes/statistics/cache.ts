import type { Archive } from '../../../archive/archive.ts'
import type { Places } from '../../../domain/places.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import type { Grouping } from '../../../query/grouping.ts'
import { VERSION } from '../../../version.ts'
import { CachedBody, etagOf } from '../../responses/cached-body.ts'
import { renderStatistics } from './response.ts'

const MAX_BYTES = 32 << 20

interface Kept {
  readonly answer: CachedBody
  readonly validUntil: number
}

/** Statistics, kept until the next event or until a relative window moves on: between the two, a dashboard is counted once. */
export class StatisticsCache {
  readonly #places: Places
  readonly #kept = new BoundedCache<string, Kept>(MAX_BYTES, ({ answer }) => answer.body.length)
  #archive: Archive | null = null
  #seq = -1

  constructor(places: Places) {
    this.#places = places
  }

  find(archive: Archive, grouping: Grouping, now: number): CachedBody {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
    const question = `${grouping.groups} ${canonicalQuery(grouping.filter)}`
    const known = this.#kept.get(question)
    if (known !== undefined && now < known.validUntil) return known.answer
    const { body, validUntil, identity } = renderStatistics(archive, grouping, this.#places, now)
    const answer = new CachedBody(body, etagOf(`${VERSION} ${question} ${identity}`))
    this.#kept.set(question, { answer, validUntil })
    return answer
  }

  #clear(archive: Archive): void {
    this.#kept.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}
