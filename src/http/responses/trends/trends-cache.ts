import type { Archive } from '../../../archive/archive.ts'
import type { Asker, SlicedQueries } from '../../../archive/slices/sliced-queries.ts'
import type { ArchiveView } from '../../../archive/snapshots/archive-view.ts'
import { SharedRuns } from '../../../lib/async/shared-runs.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import type { TrendQuestion } from '../../../query/trend-question.ts'
import { readTrends, type Trends } from './read-trends.ts'

const MAX_BYTES = 16 << 20
/** Estimated memory of an entry besides what it holds, of a group, and of a compared period. */
const ENTRY_BYTES = 500
const GROUP_BYTES = 200
const PERIOD_BYTES = 300

/** What is made of trends: themselves, or a body. */
export interface FromTrends {
  /** Without new events it is the same until then. */
  readonly validUntil: number
  /** The last event that it includes. */
  readonly seq: number
}

export type ReadFromTrends<Kept> = (view: ArchiveView, question: TrendQuestion, now: number) => Steps<Kept>

/** Keeps trends until the next event or the next day; concurrent questions share one computation. */
export class TrendsCache<Kept extends FromTrends> {
  readonly #queries: SlicedQueries
  readonly #read: ReadFromTrends<Kept>
  readonly #entries: BoundedCache<string, Kept>
  readonly #running = new SharedRuns<Kept>()
  #archive: Archive | null = null
  #seq = -1

  constructor(
    queries: SlicedQueries,
    read: ReadFromTrends<Kept>,
    bytesOf: (kept: Kept) => number,
    maxBytes = MAX_BYTES,
  ) {
    this.#queries = queries
    this.#read = read
    this.#entries = new BoundedCache(maxBytes, (kept, key) => ENTRY_BYTES + key.length + bytesOf(kept))
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#entries.size
  }

  getTrends(archive: Archive, question: TrendQuestion, now: number, asker: Asker): Kept | Promise<Kept> {
    if (archive !== this.#archive || archive.head.seq !== this.#seq) this.#clear(archive)
    const key = trendsKey(question)
    const known = this.#entries.get(key)
    if (known !== undefined && now < known.validUntil) return known
    const keep = (kept: Kept): Kept => {
      if (kept.seq === this.#seq && archive === this.#archive) this.#entries.set(key, kept)
      return kept
    }
    return this.#running.join(
      `${this.#seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const asked = { subject: asker.subject, signal }
        const kept = this.#queries.run(archive, asked, (view) => this.#read(view, question, now))
        return kept instanceof Promise ? kept.then(keep) : keep(kept)
      },
    )
  }

  #clear(archive: Archive): void {
    this.#entries.clear()
    this.#archive = archive
    this.#seq = archive.head.seq
  }
}

/** For pages, which write the figures themselves. */
export function createTrendsCache(queries: SlicedQueries): TrendsCache<Trends> {
  return new TrendsCache(
    queries,
    readTrends,
    ({ groups, question }) => groups.length * (GROUP_BYTES + question.periods * PERIOD_BYTES),
  )
}

/** Equal for equal questions. */
export function trendsKey({ groupBy, period, periods, at, timeZone, filter }: TrendQuestion): string {
  return `${groupBy} ${period} ${periods} ${at} ${timeZone} ${canonicalQuery(filter)}`
}
