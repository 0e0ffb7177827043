import type { ArchiveView } from '../../../archive/archive-view.ts'
import { didYouMean, invalidParameters } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import type { Filter } from '../../../filter/filter/filter.ts'
import { publishedFrom } from '../../../filter/filter/matches.ts'
import { type Group, type Grouping, isTimeGroup } from '../../../filter/grouping.ts'
import { CALENDAR_UNITS, type CalendarUnit, countPeriods } from '../../../lib/calendar.ts'
import { timeText } from '../../../lib/time.ts'

export const MAX_BUCKETS = 25_000

/** Milliseconds; both ends are included. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** Takes an open end of the filter from the archive. Null if the archive is empty. */
export function windowOf(filter: Filter, view: ArchiveView, now: number): Window | null {
  const { oldestPublishedAt, newestPublishedAt } = view
  const filterFrom = publishedFrom(filter, now)
  const from = filterFrom === Number.NEGATIVE_INFINITY ? oldestPublishedAt : filterFrom
  // If this node's clock is behind, the archive may contain later incidents than its `now`.
  const latest = filter.since === null ? newestPublishedAt : Math.max(now, newestPublishedAt ?? now)
  const to = filter.publishedTo === null ? latest : filter.publishedTo - 1
  return from === null || to === null ? null : { from, to }
}

/** Runs before counting, so that an oversized query does not delay other requests. */
export function refuseTooManyBuckets(
  { groups, timeZone, filter }: Grouping,
  unit: CalendarUnit,
  window: Window,
  places: Places,
  most = MAX_BUCKETS,
): void {
  const other = groups.find((group) => !isTimeGroup(group))
  const otherValues = other === undefined ? 1 : maxValues(other, filter, places)
  const countOf = (one: CalendarUnit) => countPeriods(one, window.from, window.to, timeZone)
  const periods = countOf(unit)
  if (periods * otherValues <= most) return
  const fits = CALENDAR_UNITS.filter((one) => countOf(one) * otherValues <= most)
  const withUnit = (fit: CalendarUnit) => groups.map((group) => (isTimeGroup(group) ? fit : group)).join(',')
  const product = `${periods} ${unit}s${other === undefined ? '' : ` × ${otherValues} values of ${other}`}`
  throw invalidParameters([
    {
      parameter: 'group_by',
      message:
        `selects ${product} from ${day(window.from)} to ${day(window.to)}; ` +
        `the maximum is ${most} buckets: shorten the window with from and to${fits.length > 0 ? `, or count by ${fits[0]}` : ''}`,
      ...didYouMean(fits.map(withUnit)),
    },
  ])
}

/** An upper bound under the filter. */
function maxValues(group: Group, { states, lgas, types, severities }: Filter, places: Places): number {
  switch (group) {
    case 'state':
      return (states ?? places.states).length
    case 'lga':
      return lgas?.length ?? 1 + places.lgas.filter(({ state }) => states?.includes(state.code) ?? true).length
    case 'type':
      return (types ?? TYPE_NAMES).length
    case 'severity':
      return (severities ?? SEVERITIES).length
    default:
      return CATEGORY_NAMES.length
  }
}

function day(time: number): string {
  return timeText(time).slice(0, 10)
}
