import type { Archive } from '../../../archive/archive.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import type { Asker, SlicedQueries } from '../../../archive/sliced-queries.ts'
import { canonicalQuery } from '../../../filter/filter/canonical.ts'
import type { TrendQuestion } from '../../../filter/trend-question.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { SharedRuns } from '../../../lib/concurrency.ts'
import type { Steps } from '../../../lib/steps.ts'
import { FollowedTrends } from './followed-trends.ts'
import type { Trends } from './read-trends.ts'

const MAX_BYTES = { trends: 16 << 20, answers: 16 << 20 } as const
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

interface KeptAnswer<Answer> {
  /** Weak: an answer about one group must not keep the trends of all after they have changed. */
  readonly trends: WeakRef<Trends>
  readonly validUntil: number
  readonly answer: Answer
  /** The last event that the answer includes. */
  readonly seq: number
}

/**
 * Keeps answers until an event that can change them, or the next day. Afterwards only what has
 * changed is computed again. Concurrent questions share one computation, and questions for single
 * groups (`only`) the trends of all.
 */
export class TrendsCache<Answer> {
  readonly #queries: SlicedQueries
  readonly #writer: TrendsWriter<Answer>
  /** With their sizes, which change with what they follow. */
  readonly #trends: BoundedCache<string, { readonly followed: FollowedTrends; readonly bytes: number }>
  readonly #answers: BoundedCache<string, KeptAnswer<Answer>>
  readonly #running = new SharedRuns<Answer>()
  #archive: Archive | null = null

  constructor(queries: SlicedQueries, writer: TrendsWriter<Answer>, maxBytes = MAX_BYTES) {
    this.#queries = queries
    this.#writer = writer
    this.#trends = new BoundedCache(maxBytes.trends, ({ bytes }, key) => ENTRY_BYTES + 3 * key.length + bytes)
    this.#answers = new BoundedCache(
      maxBytes.answers,
      ({ answer }, key) => ENTRY_BYTES + key.length + writer.sizeOf(answer),
    )
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#trends.size + this.#answers.size
  }

  getTrends(archive: Archive, question: TrendQuestion, now: number, asker: Asker): Answer | Promise<Answer> {
    if (archive !== this.#archive) {
      this.#trends.clear()
      this.#answers.clear()
    }
    this.#archive = archive
    const key = trendsKey(question)
    const known = this.#answers.get(key)
    if (known?.seq === archive.head.seq && now < known.validUntil) return known.answer
    const keep = (kept: KeptAnswer<Answer>): Answer => {
      if (archive === this.#archive && (this.#answers.get(key)?.seq ?? -1) <= kept.seq) this.#answers.set(key, kept)
      return kept.answer
    }
    return this.#running.join(
      `${archive.head.seq} ${key}`,
      () => asker.signal(),
      (signal) => {
        const asked = { subject: asker.subject, signal }
        const kept = this.#queries.run(archive, asked, (view) => this.#read(archive, view, question, now, known))
        return kept instanceof Promise ? kept.then(keep) : keep(kept)
      },
    )
  }

  *#read(
    archive: Archive,
    view: ArchiveView,
    question: TrendQuestion,
    now: number,
    known: KeptAnswer<Answer> | undefined,
  ): Steps<KeptAnswer<Answer>> {
    const ofAll = { ...question, only: null }
    const key = trendsKey(ofAll)
    const followed = this.#trends.get(key)?.followed ?? new FollowedTrends(ofAll)
    const trends = yield* followed.read(archive, view, now)
    if (archive === this.#archive) this.#trends.set(key, { followed, bytes: followed.size })
    const answer =
      known?.trends.deref() === trends
        ? this.#writer.renew(known.answer, view)
        : yield* this.#writer.write(trends, question, view)
    return { trends: new WeakRef(trends), validUntil: trends.validUntil, answer, seq: view.head.seq }
  }
}

/** Equal for equal questions. */
export function trendsKey({ groupBy, only, period, periods, at, timeZone, filter }: TrendQuestion): string {
  return `${groupBy} ${only} ${period} ${periods} ${at} ${timeZone} ${canonicalQuery(filter)}`
}
