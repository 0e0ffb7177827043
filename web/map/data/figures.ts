import type { Casualties } from '../../../src/domain/incident.ts'
import { SEVERITIES, type Severity } from '../../../src/domain/taxonomy.ts'
import { MAP_PERIODS, type MapPeriod, startOfBar, type TimeWindow } from '../../../src/filter/map-periods.ts'
import { timeText } from '../../../src/lib/time.ts'
import type { Question } from './question.ts'
import type { Bucket } from './statistics.ts'

/** A number of incidents and what is known of their casualties; null if no figure is known. */
export interface Figures extends Casualties {
  readonly count: number
}

export const NO_INCIDENTS: Figures = { count: 0, killed: null, injured: null, abducted: null }

function addFigures(one: Figures, other: Figures): Figures {
  return {
    count: one.count + other.count,
    killed: addKnown(one.killed, other.killed),
    injured: addKnown(one.injured, other.injured),
    abducted: addKnown(one.abducted, other.abducted),
  }
}

export function sumOf(all: readonly Figures[]): Figures {
  return all.reduce(addFigures, NO_INCIDENTS)
}

function addKnown(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0)
}

/** One bar of the timeline; `to` is the first moment after it. */
export interface Bar {
  readonly from: string
  readonly to: string
  readonly bySeverity: Readonly<Record<Severity, Figures>>
}

/** Turns counts by time and severity into the bars of a period, oldest first. */
export function barsOf(buckets: readonly Bucket[], period: MapPeriod): Bar[] {
  const { unit } = MAP_PERIODS[period]
  const bars = new Map<number, Bar>()
  for (const { severity, hour, day, week, month, ...figures } of buckets) {
    const { from } = { hour, day, week, month }[unit]!
    const start = startOfBar(period, Date.parse(from))
    const bar = bars.get(start) ?? emptyBar(period, start)
    const name = SEVERITIES.find((known) => known === severity?.key)
    if (name === undefined) bars.set(start, bar)
    else {
      const sum = addFigures(bar.bySeverity[name], { count: figures.count, ...figures.casualties })
      bars.set(start, { ...bar, bySeverity: { ...bar.bySeverity, [name]: sum } })
    }
  }
  return [...bars.entries()].toSorted(([one], [other]) => one - other).map(([, bar]) => bar)
}

function emptyBar(period: MapPeriod, start: number): Bar {
  const none = NO_INCIDENTS
  return {
    from: timeText(start),
    to: timeText(startOfBar(period, start, 1)),
    bySeverity: { low: none, medium: none, high: none, critical: none },
  }
}

/** Adds up the chosen severities of a bar; none chosen means all. */
export function figuresOf({ bySeverity }: Bar, severities: readonly Severity[]): Figures {
  return sumOf((severities.length === 0 ? SEVERITIES : severities).map((severity) => bySeverity[severity]))
}

/** Returns the bars that the window consists of; null means all. */
export function barsIn(bars: readonly Bar[], window: TimeWindow | null): readonly Bar[] {
  if (window === null) return bars
  return bars.filter(
    ({ from, to }) => Date.parse(from) >= Date.parse(window.from) && Date.parse(to) <= Date.parse(window.to),
  )
}

/**
 * Returns the indexes of the first and the last bar of the window; the first is 0 if it has none.
 */
export function barRangeOf(bars: readonly Bar[], window: TimeWindow | null): [number, number] {
  const inWindow = barsIn(bars, window)
  const first = inWindow.length === 0 ? 0 : bars.indexOf(inWindow[0]!)
  return [first, first + inWindow.length - 1]
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

/** Everything that the page counts, all of it from one answer. */
export interface PageFigures {
  /** The question that they answer: the current one, or the one before while it is loading. */
  readonly question: Question
  readonly bars: readonly Bar[]
  /** The incidents of the list. */
  readonly total: Figures
  /** The figures that the list would have with only this severity. */
  readonly bySeverity: Readonly<Record<Severity, Figures>>
}

export function pageFiguresOf(bars: readonly Bar[], question: Question): PageFigures {
  const { window, severities } = question
  const inWindow = barsIn(bars, window)
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, sumOf(inWindow.map((bar) => bar.bySeverity[severity]))]),
  ) as Record<Severity, Figures>
  return { question, bars, total: sumOf(inWindow.map((bar) => figuresOf(bar, severities))), bySeverity }
}
