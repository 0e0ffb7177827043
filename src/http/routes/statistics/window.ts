import type { Archive } from '../../../archive/archive.ts'
import { didYouMean, invalidParameters } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../../domain/taxonomy.ts'
import { CALENDAR_UNITS, type CalendarUnit, countPeriods } from '../../../lib/time/calendar.ts'
import { timeText } from '../../../lib/time/time.ts'
import type { Filter } from '../../../query/filter/filter.ts'
import { publishedFrom } from '../../../query/filter/matches.ts'
import { type Group, isTimeGroup } from '../../../query/grouping.ts'

export const MAX_BUCKETS = 25_000

/** From the first moment to the last, both included. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** What the filter asks for; where it leaves an end open, the whole feed's. Null where that is empty. */
export function windowOf(filter: Filter, archive: Archive, now: number): Window | null {
  const { oldestPublishedAt, newestPublishedAt } = archive
  const asked = publishedFrom(filter, now)
  const from = asked === Number.NEGATIVE_INFINITY ? oldestPublishedAt : asked
  // A node whose clock is behind may hold what is published later than it thinks it is.
  const open = filter.since === null ? newestPublishedAt : Math.max(now, newestPublishedAt ?? now)
  const to = filter.publishedTo === null ? open : filter.publishedTo - 1
  return from === null || to === null ? null : { from, to }
}

/** Before anything is counted: an answer that nobody could use must not hold up the others. */
export function refuseTooManyBuckets(
  groups: readonly Group[],
  unit: CalendarUnit,
  window: Window,
  filter: Filter,
  places: Places,
): void {
  const other = groups.find((group) => !isTimeGroup(group))
  const beside = other === undefined ? 1 : mostValues(other, filter, places)
  const periods = countPeriods(unit, window.from, window.to)
  if (periods * beside <= MAX_BUCKETS) return
  const fits = CALENDAR_UNITS.filter((one) => countPeriods(one, window.from, window.to) * beside <= MAX_BUCKETS)
  const withUnit = (fit: CalendarUnit) => groups.map((group) => (isTimeGroup(group) ? fit : group)).join(',')
  const product = `${periods} ${unit}s${other === undefined ? '' : ` × ${beside} values of ${other}`}`
  throw invalidParameters([
    {
      parameter: 'group_by',
      message:
        `asks for ${product} from ${day(window.from)} to ${day(window.to)}; ` +
        `${MAX_BUCKETS} buckets are the most: shorten the window by from and to${fits.length > 0 ? `, or count by ${fits[0]}` : ''}`,
      ...didYouMean(fits.map(withUnit)),
    },
  ])
}

/** How many values of a group may come, as far as the filter tells. */
function mostValues(group: Group, { states, lgas, types, severities }: Filter, places: Places): number {
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
