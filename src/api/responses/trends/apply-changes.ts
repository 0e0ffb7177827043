import type { IndexedChange } from '../../../archive/archive.ts'
import { NO_LGA } from '../../../archive/columns/columns.ts'
import { categoryOf } from '../../../domain/taxonomy.ts'
import { matches } from '../../../filter/filter/matches.ts'
import type { IndexedFields } from '../../../filter/indexed-fields.ts'
import type { TrendGrouping } from '../../../filter/trend-groups.ts'
import type { TrendQuestion } from '../../../filter/trend-question.ts'
import type { Period } from '../../../lib/calendar.ts'
import type { Steps } from '../../../lib/steps.ts'
import { LONGEST_DELAY_DAYS } from '../../../trends/reporting-delay.ts'
import { DAY, delayFilter, feedFilter, type TrendCounts } from './trend-counts.ts'

/** A change is compared with three filters; a shape of one takes up to some microseconds. */
const CHANGES_PER_STEP = 20

export interface ChangedCounts {
  readonly counts: TrendCounts
  /** Whether the trends are the same as before. */
  readonly areSame: boolean
}

/**
 * Applies the changes of later events: counts are sums, so an incident is taken off as it was and
 * added as it is. Arrays that change are copied. Null if only a new count can tell, since words are
 * not among the indexed fields.
 */
export function* applyChanges(
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
  /** Copies of what changes. */
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
