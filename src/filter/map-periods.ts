import { type CalendarUnit, startOfPeriod, type TimeZone } from '../lib/calendar.ts'
import { timeText } from '../lib/time.ts'

/** Days on the map are days in Nigeria. */
export const MAP_TIME_ZONE: TimeZone = 'Africa/Lagos'

/** Times as RFC 3339; `to` is the first moment after the window. */
export interface TimeWindow {
  readonly from: string
  readonly to: string
}

interface PeriodDescription {
  /** One bar of the timeline is `perBar` units of time. */
  readonly unit: CalendarUnit
  readonly perBar: number
  /** The first moment of the period: the start of the unit so many steps earlier. */
  readonly begins: { readonly unit: CalendarUnit; readonly stepsBack: number } | null
}

/** The periods that the map offers. Each begins and ends where one of its bars does. */
export const MAP_PERIODS = {
  '24h': { unit: 'hour', perBar: 1, begins: { unit: 'hour', stepsBack: 23 } },
  '7d': { unit: 'hour', perBar: 6, begins: { unit: 'day', stepsBack: 6 } },
  '30d': { unit: 'day', perBar: 1, begins: { unit: 'day', stepsBack: 29 } },
  '1y': { unit: 'week', perBar: 1, begins: { unit: 'week', stepsBack: 52 } },
  all: { unit: 'month', perBar: 1, begins: null },
} as const satisfies Record<string, PeriodDescription>
export type MapPeriod = keyof typeof MAP_PERIODS

export const MAP_PERIOD_NAMES = Object.keys(MAP_PERIODS) as readonly MapPeriod[]
export const DEFAULT_MAP_PERIOD: MapPeriod = '30d'

const HOUR_MS = 3_600_000

/** Returns the first moment of the bar that contains `time`, or of the one `steps` later. */
export function startOfBar(period: MapPeriod, time: number, steps = 0): number {
  const { unit, perBar } = MAP_PERIODS[period]
  if (perBar === 1) return startOfPeriod(unit, time, MAP_TIME_ZONE, steps)
  // Several hours, counted from midnight; no day of Nigeria has 23 or 25.
  const midnight = startOfPeriod('day', time, MAP_TIME_ZONE)
  const length = perBar * HOUR_MS
  return midnight + (Math.floor((time - midnight) / length) + steps) * length
}

/** Returns the span of the period whose last bar contains `time`; null means no limit. */
export function periodEndingAt(period: MapPeriod, time: number): TimeWindow | null {
  const { begins } = MAP_PERIODS[period]
  if (begins === null) return null
  const from = startOfPeriod(begins.unit, time, MAP_TIME_ZONE, -begins.stepsBack)
  return { from: timeText(from), to: timeText(startOfBar(period, time, 1)) }
}

/**
 * Returns a period whose bars the window begins and ends with: the given one if possible, else the
 * finest that has room for it. A window that lies across bars is widened to them, so that bars,
 * counts and list have the same edges.
 */
export function fitWindow(period: MapPeriod, window: TimeWindow): { period: MapPeriod; window: TimeWindow } {
  const inOrder = [period, ...MAP_PERIOD_NAMES]
  const aligned = inOrder.find((name) => isSame(widened(name, window), window) && hasRoomFor(name, window))
  const fitting = aligned ?? MAP_PERIOD_NAMES.find((name) => hasRoomFor(name, widened(name, window)))!
  return { period: fitting, window: widened(fitting, window) }
}

function widened(period: MapPeriod, { from, to }: TimeWindow): TimeWindow {
  const [first, end] = [Date.parse(from), Date.parse(to)]
  return {
    from: timeText(startOfBar(period, first)),
    to: timeText(startOfBar(period, end - 1, 1)),
  }
}

function isSame(one: TimeWindow, other: TimeWindow): boolean {
  return Date.parse(one.from) === Date.parse(other.from) && Date.parse(one.to) === Date.parse(other.to)
}

function hasRoomFor(period: MapPeriod, window: TimeWindow): boolean {
  const span = periodEndingAt(period, Date.parse(window.to) - 1)
  return span === null || contains(span, window)
}

/** Checks whether the inner window lies in the outer one; null is without limit. */
export function contains(outer: TimeWindow | null, inner: TimeWindow): boolean {
  if (outer === null) return true
  return Date.parse(outer.from) <= Date.parse(inner.from) && Date.parse(inner.to) <= Date.parse(outer.to)
}
