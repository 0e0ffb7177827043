import type { Archive } from '../../../archive/archive.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import type { TrendQuestion } from '../../../filter/trend-question.ts'
import { startOfPeriod } from '../../../lib/calendar.ts'
import type { Steps } from '../../../lib/steps.ts'
import { ComparisonMemo } from '../../../trends/comparison-memo.ts'
import { applyChanges, type ChangedCounts } from './apply-changes.ts'
import { type Trends, trendsFrom } from './read-trends.ts'
import { countDelays, countForTrends, type TrendCounts } from './trend-counts.ts'

/** Estimated memory of a group, and of a compared period with what it is compared by. */
const GROUP_BYTES = 300
const PERIOD_BYTES = 600

interface State {
  readonly archive: Archive
  readonly counts: TrendCounts
  readonly trends: Trends
}

/**
 * The trends of one question, kept in step with the archive: an event changes a count or two, and
 * only groups whose counts have changed are compared again.
 */
export class FollowedTrends {
  readonly #question: TrendQuestion
  readonly #memo = new ComparisonMemo()
  #state: State | null = null

  constructor(question: TrendQuestion) {
    this.#question = question
  }

  /** Estimated memory in bytes. */
  get size(): number {
    if (this.#state === null) return 0
    const { counts, trends } = this.#state
    const perGroup = GROUP_BYTES + 4 * counts.periods.length + this.#question.periods * PERIOD_BYTES
    // The filter is kept as well, with the sites of its list.
    const filterBytes = this.#question.filter.sites?.bytes ?? 0
    return trends.groups.length * perGroup + 4 * counts.feedTotals.length + filterBytes
  }

  /** Returns the same object as long as the trends are the same. */
  *read(archive: Archive, view: ArchiveView, now: number): Steps<Trends> {
    const known = this.#state?.archive === archive ? this.#state : null
    const followed = known && (yield* this.#follow(known, view, now))
    if (known !== null && followed?.areSame && now < known.trends.validUntil) {
      this.#keep({ ...known, counts: followed.counts })
      return known.trends
    }
    const counts = yield* this.#countsOf(followed?.counts ?? null, view, now)
    const trends = yield* trendsFrom(counts, this.#question, now, this.#memo)
    this.#keep({ archive, counts, trends })
    return trends
  }

  /** Another reader may have finished on a later view meanwhile. */
  #keep(state: State): void {
    if (this.#state?.archive !== state.archive || this.#state.counts.seq <= state.counts.seq) this.#state = state
  }

  /** Brings the counts up to the view; null if they must be counted anew. */
  *#follow({ archive, counts }: State, view: ArchiveView, now: number): Steps<ChangedCounts | null> {
    const { period, at, timeZone } = this.#question
    if (startOfPeriod(period, at ?? now, timeZone) !== counts.periods.at(-1)!.start) return null
    if (view.head.seq < counts.seq) return null
    const changes = archive.changesSince(counts.seq)?.filter(({ seq }) => seq <= view.head.seq)
    return changes ? yield* applyChanges(counts, this.#question, changes, view.head.seq) : null
  }

  *#countsOf(followed: TrendCounts | null, view: ArchiveView, now: number): Steps<TrendCounts> {
    if (followed === null) return yield* countForTrends(view, this.#question, now)
    const today = startOfPeriod('day', now, this.#question.timeZone)
    if (today === followed.delays.today) return followed
    return { ...followed, delays: yield* countDelays(view, today, now) }
  }
}
