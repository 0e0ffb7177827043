import { SEVERITIES, type Severity } from '../../../src/domain/taxonomy.ts'
import type { MapPeriod } from '../../../src/query/map-view.ts'
import type { Bucket } from './statistics.ts'

/** One bar: from `from` up to but not including `to`. */
export interface Bar {
  readonly from: string
  readonly to: string
  readonly total: number
  readonly bySeverity: Readonly<Record<Severity, number>>
}

/** What each span is counted by, and how many of these make a bar. */
export const STEPS = {
  '24h': { unit: 'hour', each: 1 },
  '7d': { unit: 'hour', each: 6 },
  '30d': { unit: 'day', each: 1 },
  '1y': { unit: 'week', each: 1 },
  all: { unit: 'month', each: 1 },
} as const satisfies Record<MapPeriod, { unit: 'hour' | 'day' | 'week' | 'month'; each: number }>

/** The bars of a span, from counts by time and severity, oldest first. */
export function barsOf(buckets: readonly Bucket[], span: MapPeriod): Bar[] {
  const { unit, each } = STEPS[span]
  const bars = new Map<string, Bar>()
  for (const { severity, count, ...bucket } of buckets) {
    const { from, to } = bucket[unit]!
    const start = each === 1 ? from : startOf(from, each)
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

function startOf(time: string, hours: number): string {
  const length = hours * 3_600_000
  return `${new Date(Math.floor(Date.parse(time) / length) * length).toISOString().slice(0, 19)}Z`
}

/** The first and the last bar that a window touches; all of them where there is none. */
export function barsWithin(bars: readonly Bar[], window: { from: string; to: string } | null): [number, number] {
  const last = Math.max(0, bars.length - 1)
  if (window === null) return [0, last]
  const first = bars.findIndex(({ to }) => Date.parse(to) > Date.parse(window.from))
  const end = bars.findLastIndex(({ from }) => Date.parse(from) < Date.parse(window.to))
  return [first < 0 ? last : first, Math.max(end, first < 0 ? last : first)]
}

/** The window from one bar to another; null where that is all of them. */
export function windowOf(bars: readonly Bar[], first: number, last: number): { from: string; to: string } | null {
  if (bars.length === 0 || (first <= 0 && last >= bars.length - 1)) return null
  return { from: bars[Math.max(0, first)]!.from, to: bars[Math.min(bars.length - 1, last)]!.to }
}

/** Where playing goes next: a window of the same width, one bar on; null where it has come to the end. */
export function nextWindow(count: number, first: number, last: number): [number, number] | null {
  return last + 1 < count ? [first + 1, last + 1] : null
}

/** Where playing begins: with the window as it stands, or with the first tenth of the span. */
export function firstWindow(count: number, first: number, last: number): [number, number] {
  const isWhole = first === 0 && last === count - 1
  if (!isWhole && last < count - 1) return [first, last]
  const width = isWhole ? Math.max(1, Math.round(count / 10)) : last - first + 1
  return [0, width - 1]
}
