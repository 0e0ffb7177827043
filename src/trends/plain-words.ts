import { timeText } from '../lib/time.ts'
import type { TrendPeriod } from './find-trends.ts'
import type { TrendUnit } from './trend-method.ts'

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Says it in a sentence: "14 in March 2026; 5 to 9 would be usual." */
export function trendSentence(period: TrendPeriod, unit: TrendUnit): string {
  const count = `${period.observed} ${periodWords(period, unit)}`
  if (period.usual === null) return `${count}; there is too little history to say what is usual.`
  const usual = `${rangeWords(period.usual)} would be usual${period.isOver ? '' : ` for a whole ${unit}`}`
  return `${count}; ${usual}${period.isOver && !period.isComplete ? '. Reports of it are still coming in' : ''}.`
}

export function rangeWords({ from, to }: NonNullable<TrendPeriod['usual']>): string {
  return from === to ? `${from}` : `${from} to ${to}`
}

function periodWords({ isOver, name, end }: TrendPeriod, unit: TrendUnit): string {
  if (!isOver) return `so far this ${unit}`
  if (unit === 'month') return `in ${MONTH.format(Date.parse(`${name}-01T00:00:00Z`))}`
  // The last second of the week lies on its Sunday in either time zone; its Monday is six days
  // earlier.
  const sunday = Date.parse(`${timeText(end - 1000).slice(0, 10)}T00:00:00Z`)
  return `in the week of ${DATE.format(sunday - 6 * 24 * 3_600_000)}`
}
