import { SEVERITIES, type Severity } from '../../../src/domain/taxonomy.ts'
import type { MapPeriod } from '../../../src/query/map-view.ts'
import type { TimeWindow } from '../view/view.ts'
import type { Bucket } from './statistics.ts'

/** One bar of the timeline; `to` is the first moment after it. */
export interface Bar {
  readonly from: string
  readonly to: string
  readonly total: number
  readonly bySeverity: Readonly<Record<Severity, number>>
}

/** The API's time unit for each period, and the number of units that make one bar. */
export const BAR_UNITS = {
  '24h': { unit: 'hour', perBar: 1 },
  '7d': { unit: 'hour', perBar: 6 },
  '30d': { unit: 'day', perBar: 1 },
  '1y': { unit: 'week', perBar: 1 },
  all: { unit: 'month', perBar: 1 },
} as const satisfies Record<MapPeriod, { unit: 'hour' | 'day' | 'week' | 'month'; perBar: number }>

/** Turns counts by time and severity into the bars of a period, oldest first. */
export function barsOf(buckets: readonly Bucket[], period: MapPeriod): Bar[] {
  const { unit, perBar } = BAR_UNITS[period]
  const bars = new Map<string, Bar>()
  for (const { severity, count, ...bucket } of buckets) {
    const { from, to } = bucket[unit]!
    const start = perBar === 1 ? from : startOfHours(from, perBar)
    const bar = bars.get(start) ?? {
      from: start,
      to,
      total: 0,
      bySeverity: { low: 0, medium: 0, high: 0, critical: 0 },
    }
    const name = SEVERITIES.find((known) => known === severity?.key)
    const bySeverity = name === undefined ? bar.bySeverity : { ...bar.bySeverity, [name]: bar.bySeverity[name] + count }
    bars.set(start, { ...bar, to: to > bar.to ? to : bar.to, total: bar.total + count, bySeverity })
  }
  return [...bars.values()].toSorted((one, other) => one.from.localeCompare(other.from))
}

function startOfHours(time: string, hours: number): string {
  const length = hours * 3_600_000
  return `${new Date(Math.floor(Date.parse(time) / length) * length).toISOString().slice(0, 19)}Z`
}

/** Returns the indexes of the first and the last bar that the window touches; null means all. */
export function barRangeOf(bars: readonly Bar[], window: TimeWindow | null): [number, number] {
  const last = Math.max(0, bars.length - 1)
  if (window === null) return [0, last]
  const first = bars.findIndex(({ to }) => Date.parse(to) > Date.parse(window.from))
  const end = bars.findLastIndex(({ from }) => Date.parse(from) < Date.parse(window.to))
  return [first < 0 ? last : first, Math.max(end, first < 0 ? last : first)]
}

/** Returns the window from one bar to another, inclusive; null if that is all of them. */
export function windowOf(bars: readonly Bar[], first: number, last: number): TimeWindow | null {
  if (bars.length === 0 || (first <= 0 && last >= bars.length - 1)) return null
  return { from: bars[Math.max(0, first)]!.from, to: bars[Math.min(bars.length - 1, last)]!.to }
}

/** Moves the range of bars one bar on for playback; null at the end. */
export function nextPlaybackRange(barCount: number, first: number, last: number): [number, number] | null {
  return last + 1 < barCount ? [first + 1, last + 1] : null
}

/**
 * Returns the range of bars that playback starts with: the current one, or the first tenth of the
 * period if all bars are selected. A range at the end starts again at the beginning.
 */
export function firstPlaybackRange(barCount: number, first: number, last: number): [number, number] {
  const isWhole = first === 0 && last === barCount - 1
  if (!isWhole && last < barCount - 1) return [first, last]
  const width = isWhole ? Math.max(1, Math.round(barCount / 10)) : last - first + 1
  return [0, width - 1]
}
