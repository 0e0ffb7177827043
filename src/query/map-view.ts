import type { FilterParameter } from './filter/parameters.ts'

/** The periods that the map offers, each with its `since` parameter; null means no limit. */
export const MAP_PERIODS = { '24h': '24h', '7d': '7d', '30d': '30d', '1y': '365d', all: null } as const
export type MapPeriod = keyof typeof MAP_PERIODS

export const MAP_PERIOD_NAMES = Object.keys(MAP_PERIODS) as readonly MapPeriod[]
export const DEFAULT_MAP_PERIOD: MapPeriod = '30d'

/** The filters that the map's URL takes besides its period, named as in the API. */
export const VIEW_FILTERS = [
  'state',
  'lga',
  'type',
  'severity',
  'min_confidence',
  'near',
  'radius_km',
  'from',
  'to',
] as const satisfies readonly FilterParameter[]

/** The API's filter parameters for a map URL; its period applies only without `from` and `to`. */
export function filterInAddress(address: URLSearchParams): URLSearchParams {
  const filter = new URLSearchParams()
  for (const name of VIEW_FILTERS) {
    for (const value of address.getAll(name)) if (value) filter.append(name, value)
  }
  const since = MAP_PERIODS[mapPeriodIn(address)]
  if (since !== null && !filter.has('from') && !filter.has('to')) filter.set('since', since)
  return filter
}

export function mapPeriodIn(address: URLSearchParams): MapPeriod {
  return MAP_PERIOD_NAMES.find((name) => name === address.get('span')) ?? DEFAULT_MAP_PERIOD
}
