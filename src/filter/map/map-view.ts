import { parseTime } from '../../lib/time.ts'
import type { FilterParameter } from '../filter/parameters.ts'
import {
  DEFAULT_MAP_PERIOD,
  fitWindow,
  MAP_PERIOD_NAMES,
  type MapPeriod,
  periodEndingAt,
  type TimeWindow,
} from './map-periods.ts'

/** The filters that the map's URL takes besides its times and its box, named as in the API. */
export const VIEW_FILTERS = [
  'state',
  'lga',
  'type',
  'severity',
  'min_confidence',
  'near',
  'radius_km',
] as const satisfies readonly FilterParameter[]

/**
 * Returns the API's filter parameters for a map URL. The times are `from` and `to` at the edges of
 * the timeline's bars, so that list, counts and tiles cover the same time.
 */
export function filterInAddress(address: URLSearchParams, now: number): URLSearchParams {
  const filter = new URLSearchParams()
  for (const name of VIEW_FILTERS) {
    for (const value of address.getAll(name)) if (value) filter.append(name, value)
  }
  const { period, window } = timesInAddress(address)
  const { from, to } = window ?? periodEndingAt(period, now) ?? { from: null, to: null }
  if (from !== null) filter.set('from', from)
  if (to !== null) filter.set('to', to)
  const box = boxInAddress(address)
  if (box !== null) filter.set('bbox', box.join(','))
  return filter
}

/** Returns the period and the window within it; the period may differ from the one asked for. */
export function timesInAddress(address: URLSearchParams): { period: MapPeriod; window: TimeWindow | null } {
  const period = mapPeriodIn(address)
  const [from, to] = [momentIn(address.get('from')), momentIn(address.get('to'))]
  if (from === null || to === null || from >= to) return { period, window: null }
  return fitWindow(period, { from: new Date(from).toISOString(), to: new Date(to).toISOString() })
}

export function mapPeriodIn(address: URLSearchParams): MapPeriod {
  return MAP_PERIOD_NAMES.find((name) => name === address.get('span')) ?? DEFAULT_MAP_PERIOD
}

/** Keeps times within the years that ISO 8601 writes with four digits. */
const [FIRST_MOMENT, LAST_MOMENT] = [Date.UTC(1000, 0, 1), Date.UTC(9000, 0, 1)]

/** A date is the midnight in Nigeria that it begins with. */
function momentIn(text: string | null): number | null {
  if (text === null) return null
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? parseTime(`${text}T00:00:00+01:00`) : parseTime(text)
  return time === null || time < FIRST_MOMENT || time > LAST_MOMENT ? null : time
}

/** West, south, east, north, in degrees. */
export type BoundingBox = readonly [number, number, number, number]

/** Reads `box=west,south,east,north`; null if it is absent or no box. */
export function boxInAddress(address: URLSearchParams): BoundingBox | null {
  const parts = (address.get('box') ?? '').split(',', 5)
  if (parts.length !== 4 || parts.some((part) => !/^-?\d{1,3}(\.\d{1,8})?$/.test(part))) return null
  const [west, south, east, north] = parts.map(Number) as [number, number, number, number]
  const isOrdered = west <= east && south <= north
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90
  return isOrdered && isOnEarth ? [west, south, east, north] : null
}
