import { FollowedTrends } from '../../../api/trends/followed-trends.ts'
import type { Archive } from '../../../archive/archive.ts'
import type { ArchiveView } from '../../../archive/archive-view.ts'
import { EVERYTHING } from '../../../filter/filter.ts'
import { MAP_TIME_ZONE } from '../../../filter/map-periods.ts'
import type { TrendGrouping } from '../../../filter/trend-question.ts'
import type { Steps } from '../../../lib/steps.ts'
import type { TrendGroup } from '../../../trends/find-trends.ts'
import { type Area, areaCode } from '../places/area.ts'

/**
 * How this month and the last compare with the usual, for every area. False alarms are controlled
 * over all areas of a kind, so a page takes its row of an answer for all of them.
 */
export class AreaTrends {
  readonly #trends: Readonly<Record<Area['kind'], FollowedTrends>>

  constructor() {
    this.#trends = { country: byMonth(null), state: byMonth('state'), lga: byMonth('lga') }
  }

  /** Null if the area had no incident in the years that are compared. */
  *trendOf(archive: Archive, view: ArchiveView, area: Area, now: number): Steps<TrendGroup | null> {
    const { byKey } = yield* this.#trends[area.kind].read(archive, view, now)
    return byKey.get(area.kind === 'country' ? '' : areaCode(area)) ?? null
  }
}

function byMonth(groupBy: TrendGrouping | null): FollowedTrends {
  const asked = { only: null, period: 'month', periods: 2, at: null, timeZone: MAP_TIME_ZONE } as const
  return new FollowedTrends({ groupBy, ...asked, filter: EVERYTHING })
}
