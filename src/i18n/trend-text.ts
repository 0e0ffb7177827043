import { calendarDay } from '../lib/nigeria-time.ts'
import { numberText } from '../lib/text.ts'
import type { BrowserTranslate } from './browser/english.ts'

/** A month, and what would be usual in it; null where that is not known. */
export interface MonthTrend {
  readonly start: number
  readonly observed: number
  readonly usual: { readonly from: number; readonly to: number } | null
  readonly isOver: boolean
  /** Whether it is over and nearly all its incidents are published. */
  readonly isComplete: boolean
}

/** `14 in October 2026; 5 to 9 would be usual.` */
export function trendText({ start, observed, usual, isOver, isComplete }: MonthTrend, t: BrowserTranslate): string {
  const { month, year } = calendarDay(start)
  const values = {
    count: numberText(observed),
    month: `${month} ${year}`,
    ...(usual && { usual: rangeText(usual, t) }),
  }
  if (!isOver) return t(usual ? 'areas.trend_running' : 'areas.trend_running_alone', values)
  const sentence = t(usual ? 'areas.trend_over' : 'areas.trend_over_alone', values)
  return isComplete ? sentence : `${sentence} ${t('areas.trend_incomplete')}`
}

function rangeText({ from, to }: NonNullable<MonthTrend['usual']>, t: BrowserTranslate): string {
  return from === to ? numberText(to) : t('areas.trend_range', { from: numberText(from), to: numberText(to) })
}
