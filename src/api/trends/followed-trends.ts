import type { Archive, ArchiveView, IndexedChange } from '../../archive/archive.ts'
import { NO_LGA } from '../../archive/columns/columns.ts'
import type { Asker, SlicedQueries } from '../../archive/sliced-queries.ts'
import { NO_DATASET } from '../../domain/incident.ts'
import { categoryOf } from '../../domain/taxonomy.ts'
import { canonicalQuery, EVERYTHING, type Filter, type IndexedFields } from '../../filter/filter.ts'
import { matches } from '../../filter/matches.ts'
import type { TrendGrouping, TrendQuestion } from '../../filter/trend-question.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { listPeriods, type Period, startOfPeriod, ZONE_OFFSETS } from '../../lib/calendar.ts'
import { SharedRuns } from '../../lib/concurrency.ts'
import type { Steps } from '../../lib/steps.ts'
import { isCurrent, type Timed } from '../../lib/time.ts'
import {
  ComparisonMemo,
  findTrends,
  LONGEST_DELAY_DAYS,
  MEASURED_DAYS,
  MOST_YEARS,
  type ReportingDelay,
  reportingDelayFrom,
  TREND_METHODS,
  type TrendGroup,
} from '../../trends/find-trends.ts'

const MAX_BYTES = { trends: 16 << 20, answers: 16 << 20 } as const
/** Estimated memory of an entry besides what it holds. */
const ENTRY_BYTES = 1000

/** Writes answers. */
export interface TrendsWriter<Answer> {
  write(trends: Trends, question: TrendQuestion, view: ArchiveView): Steps<Answer>
  /** The same answer, complete up to a later event. */
  renew(answer: Answer, view: ArchiveView): Answer
  sizeOf(answer: Answer): number
}

interface KeptAnswer<Answer> extends Timed {
  /** Weak: an answer about one group must not keep the trends of all after they have changed. */
  readonly trends: WeakRef<Trends>
  readonly answer: Answer
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
    if (known?.seq === archive.head.seq && isCurrent(known, now)) return known.answer
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
    return { trends: new WeakRef(trends), madeAt: now, validUntil: trends.validUntil, answer, seq: view.head.seq }
  }
}

export function trendsKey({ groupBy, only, period, periods, at, timeZone, filter }: TrendQuestion): string {
  return `${groupBy} ${only} ${period} ${periods} ${at} ${timeZone} ${canonicalQuery(filter)}`
}

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
    if (known !== null && followed?.areSame && isCurrent(known.trends, now)) {
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

/** A change is compared with three filters; a shape of one takes up to some microseconds. */
const CHANGES_PER_STEP = 20

interface ChangedCounts {
  readonly counts: TrendCounts
  readonly areSame: boolean
}

/**
 * Applies the changes of later events: counts are sums, so an incident is taken off as it was and
 * added as it is. Arrays that change are copied. Null if only a new count can tell, since words are
 * not among the indexed fields.
 */
function* applyChanges(
  counts: TrendCounts,
  question: TrendQuestion,
  changes: readonly IndexedChange[],
  seq: number,
): Steps<ChangedCounts | null> {
  const changed = new ChangingCounts(counts, question)
  for (const [number, { before, after }] of changes.entries()) {
    if (number % CHANGES_PER_STEP === CHANGES_PER_STEP - 1) yield
    const incidents = [before, after].filter((fields) => fields !== null)
    if (question.filter.words !== null && incidents.some((fields) => changed.matches(fields))) return null
    if (before !== null) changed.addIncident(before, -1)
    if (after !== null) changed.addIncident(after, 1)
  }
  return changed.finish(seq)
}

class ChangingCounts {
  readonly #counts: TrendCounts
  readonly #question: TrendQuestion
  readonly #filters: Readonly<Record<'rows' | 'feed' | 'delays', TrendQuestion['filter']>>
  readonly #rows = new Map<string, Uint32Array>()
  #feedTotals: Uint32Array | null = null
  #byDays: Uint32Array | null = null

  constructor(counts: TrendCounts, question: TrendQuestion) {
    this.#counts = counts
    this.#question = question
    const { periods, delays } = counts
    const window = { occurredFrom: periods[0]!.start, occurredTo: periods.at(-1)!.end }
    this.#filters = {
      rows: { ...question.filter, ...window },
      feed: { ...feedFilter(question), ...window },
      delays: delayFilter(delays.today),
    }
  }

  /** The filters have no relative window, so the time does not matter. */
  matches(fields: IndexedFields): boolean {
    return matches(this.#filters.rows, fields, 0)
  }

  addIncident(fields: IndexedFields, difference: 1 | -1): void {
    const { periods, feedTotals, delays } = this.#counts
    if (this.matches(fields))
      this.#rowOf(groupOf(fields, this.#question.groupBy))[periodAt(periods, fields)]! += difference
    if (matches(this.#filters.feed, fields, 0)) {
      this.#feedTotals ??= feedTotals.slice()
      this.#feedTotals[periodAt(periods, fields)]! += difference
    }
    if (!matches(this.#filters.delays, fields, 0)) return
    const days = Math.floor(Math.max(0, fields.publishedAt - fields.occurredAt) / DAY)
    if (days > LONGEST_DELAY_DAYS) return
    this.#byDays ??= delays.byDays.slice()
    this.#byDays[days]! += difference
  }

  finish(seq: number): ChangedCounts {
    const counts = this.#counts
    const rows = this.#changedRows()
    const feedTotals = this.#feedTotals ?? counts.feedTotals
    const byDays = this.#byDays !== null && !isEqual(this.#byDays, counts.delays.byDays) ? this.#byDays : null
    const delays = byDays === null ? counts.delays : { ...counts.delays, byDays }
    // Only gaps of the whole feed matter, not how many incidents it had.
    const hasSameGaps = feedTotals.every((total, period) => total > 0 === counts.feedTotals[period]! > 0)
    return {
      counts: { ...counts, seq, rows, feedTotals, delays },
      areSame: rows === counts.rows && byDays === null && hasSameGaps,
    }
  }

  #rowOf(key: string): Uint32Array {
    let row = this.#rows.get(key)
    if (row === undefined) {
      row = this.#counts.rows.get(key)?.slice() ?? new Uint32Array(this.#counts.periods.length)
      this.#rows.set(key, row)
    }
    return row
  }

  /** Rows that are as they were stay the same arrays: comparisons are remembered by them. */
  #changedRows(): TrendCounts['rows'] {
    const { rows } = this.#counts
    const changed = [...this.#rows].filter(([key, row]) => !isEqual(row, rows.get(key) ?? null))
    if (changed.length === 0) return rows
    const all = new Map(rows)
    for (const [key, row] of changed)
      if (this.#question.groupBy === null || row.some((count) => count > 0)) all.set(key, row)
      else all.delete(key)
    return all
  }
}

function groupOf(fields: IndexedFields, groupBy: TrendGrouping | null): string {
  if (groupBy === null) return ''
  if (groupBy === 'category') return categoryOf(fields.type)
  return groupBy === 'lga' ? (fields.lga ?? NO_LGA) : fields[groupBy]
}

/** The fields match a window, so one of the periods has them. */
function periodAt(periods: readonly Period[], { occurredAt }: IndexedFields): number {
  return periods.findLastIndex(({ start }) => start <= occurredAt)
}

/** A row that is not there has nothing but zeros. */
function isEqual(one: Uint32Array, other: Uint32Array | null): boolean {
  return one.every((count, index) => count === (other?.[index] ?? 0))
}

export interface Trends extends Timed {
  /** Most incidents in the last period first, then by key. */
  readonly groups: readonly TrendGroup[]
  readonly byKey: ReadonlyMap<string, TrendGroup>
  readonly delay: ReportingDelay | null
}

export function* readTrends(view: ArchiveView, question: TrendQuestion, now: number): Steps<Trends> {
  const counts = yield* countForTrends(view, question, now)
  return yield* trendsFrom(counts, question, now, new ComparisonMemo())
}

/** `memo` has comparisons of the same question. */
function* trendsFrom(
  { periods, rows, feedTotals, delays }: TrendCounts,
  { period: unit, periods: tested }: TrendQuestion,
  now: number,
  memo: ComparisonMemo,
): Steps<Trends> {
  const delay = reportingDelayFrom(delays.byDays)
  const groups = Array.from(rows, ([key, counts]) => ({ key, counts }))
  const found = yield* findTrends({ unit, periods, tested, groups, feedTotals, delay, now, memo })
  const sorted = found.sort(byLastCount)
  return {
    groups: sorted,
    byKey: new Map(sorted.map((group) => [group.key, group])),
    delay,
    madeAt: now,
    validUntil: delays.today + DAY,
  }
}

function byLastCount(one: TrendGroup, other: TrendGroup): number {
  return other.periods.at(-1)!.observed - one.periods.at(-1)!.observed || (one.key < other.key ? -1 : 1)
}

export const DAY = 24 * 3_600_000

/** The basis of trends after one event. No array changes: events replace them. */
interface TrendCounts {
  readonly seq: number
  readonly periods: readonly Period[]
  /** One count for each period, by the groups that have any; without groups, one row under ''. */
  readonly rows: ReadonlyMap<string, Uint32Array>
  /** Counts of the whole feed, by which gaps in its records show. */
  readonly feedTotals: Uint32Array
  readonly delays: DelayCounts
}

interface DelayCounts {
  /** The day on which they are counted begins then. */
  readonly today: number
  /** Incidents by whole days from the event to its publication. */
  readonly byDays: Uint32Array
}

function* countForTrends(view: ArchiveView, question: TrendQuestion, now: number): Steps<TrendCounts> {
  const { groupBy, filter, timeZone } = question
  const periods = yield* periodsOf(question, now)
  const asked = { periods, now }
  const { values, counts } = yield* view.occurrences({ ...asked, group: groupBy ?? undefined, filter })
  const { counts: feedTotals } = yield* view.occurrences({ ...asked, group: undefined, filter: feedFilter(question) })
  const delays = yield* countDelays(view, startOfPeriod('day', now, timeZone), now)
  const rows = new Map<string, Uint32Array>()
  for (const [number, key] of values.entries()) {
    const row = counts.slice(number * periods.length, (number + 1) * periods.length)
    if (groupBy === null || row.some((count) => count > 0)) rows.set(key, row)
  }
  yield
  return { seq: view.head.seq, periods, rows, feedTotals, delays }
}

export function* countDelays(view: ArchiveView, today: number, now: number): Steps<DelayCounts> {
  const byDays = yield* view.delays({ filter: delayFilter(today), now, longest: LONGEST_DELAY_DAYS })
  return { today, byDays }
}

/** Gaps show in what is recorded at all, of the same data sets; not in a quiet place. */
function feedFilter({ filter }: TrendQuestion): Filter {
  return { ...EVERYTHING, datasets: filter.datasets }
}

/**
 * Incidents that are old enough for late reports; imports are published at the time of the event.
 */
function delayFilter(today: number): Filter {
  const occurredTo = today - LONGEST_DELAY_DAYS * DAY
  const occurredFrom = occurredTo - MEASURED_DAYS * DAY
  return { ...EVERYTHING, datasets: [NO_DATASET], publishedFrom: occurredFrom, occurredFrom, occurredTo }
}

/** The periods that are tested, the years before the first of them, and its season. */
function* periodsOf({ period, periods, at, timeZone }: TrendQuestion, now: number): Steps<Period[]> {
  const last = at ?? now
  const firstTested = startOfPeriod(period, last, timeZone, 1 - periods)
  const yearsBefore = new Date(firstTested + ZONE_OFFSETS[timeZone])
  yearsBefore.setUTCFullYear(yearsBefore.getUTCFullYear() - MOST_YEARS)
  const before = yearsBefore.getTime() - ZONE_OFFSETS[timeZone]
  // One more: the nearest week may begin before the same date.
  const from = startOfPeriod(period, before, timeZone, -TREND_METHODS[period].halfWindow - 1)
  return yield* listPeriods(period, from, last, timeZone)
}
