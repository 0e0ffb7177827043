import type { Archive } from '../../../archive/archive.ts'
import type { Asker, SlicedQueries } from '../../../archive/slices/sliced-queries.ts'
import type { ArchiveView } from '../../../archive/snapshots/archive-view.ts'
import { SharedRuns } from '../../../lib/async/shared-runs.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { canonicalQuery } from '../../../query/filter/canonical.ts'
import type { TrendQuestion } from '../../../query/trend-question.ts'
import { FollowedTrends } from './followed-trends.ts'
import type { Trends } from './read-trends.ts'

const MAX_BYTES = 24 << 20
/** Estimated memory of an entry besides what it holds. */
const ENTRY_BYTES = 1000

/** How answers are written. */
export interface TrendsWriter<Answer> {
  write(trends: Trends, question: TrendQuestion, view: ArchiveView): Steps<Answer>
  /** The same answer, complete up to a later event. */
  renew(answer: Answer, view: ArchiveView): Answer
  /** Estimated memory in bytes. */
  sizeOf(answer: Answer): number
}

interface CacheEntry<Answer> {
  readonly followed: FollowedTrends
  readonly trends: Trends
  readonly answer: Answer
  /** The last event that the answer includes. */
  readonly seq: number
  readonly bytes: number
}

/**
 * Keeps answers until an event that can change them, or the next day. Afterwards only what has
 * changed is computed again. Concurrent questions share one computation.
 */
export class TrendsCache<Answer> {
  readonly #queries: SlicedQueries
  readonly #writer: TrendsWriter<Answer>
  readonly #entries: BoundedCache<string, CacheEntry<Answer>>
  readonly #running = new SharedRuns<Answer>()
  #archive: Archive | null = null

  constructor(queries: SlicedQueries, writer: TrendsWriter<Answer>, maxBytes = MAX_BYTES) {
    this.#queries = queries
    this.#writer = writer
    this.#entries = new BoundedCache(maxBytes, ({ bytes }, key) => ENTRY_BYTES + key.length + bytes)
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#entries.size
  }

  getTrends(archive: Archive, question: TrendQuestion, now: number, asker: Asker): Answer | Promise<Answer> {
    if (archive !== this.#archive) this.#entries.clear()
    this.#archive = archive
    const key = trendsKey(question)
    const known = this.#entries.get(key)
    if (known?.seq === archive.head.seq && now < known.trends.validUntil) return known.answer
    const keep = (entry: CacheEntry<Answer>): Answer => {
      if (archive === this.#archive && (this.#entries.get(key)?.seq ?? -1) <= entry.seq) this.#entries.set(key, entry)
      return entry.answer
    }
    return this.#running.join(
      `${archive.head.seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const asked = { subject: asker.subject, signal }
        const entry = this.#queries.run(archive, asked, (view) => this.#read(archive, view, question, now, known))
        return entry instanceof Promise ? entry.then(keep) : keep(entry)
      },
    )
  }

  *#read(
    archive: Archive,
    view: ArchiveView,
    question: TrendQuestion,
    now: number,
    known: CacheEntry<Answer> | undefined,
  ): Steps<CacheEntry<Answer>> {
    const followed = known?.followed ?? new FollowedTrends(question)
    const trends = yield* followed.read(archive, view, now)
    const answer =
      known?.trends === trends
        ? this.#writer.renew(known.answer, view)
        : yield* this.#writer.write(trends, question, view)
    return { followed, trends, answer, seq: view.head.seq, bytes: followed.size + this.#writer.sizeOf(answer) }
  }
}

/** Equal for equal questions. */
export function trendsKey({ groupBy, period, periods, at, timeZone, filter }: TrendQuestion): string {
  return `${groupBy} ${period} ${periods} ${at} ${timeZone} ${canonicalQuery(filter)}`
}
