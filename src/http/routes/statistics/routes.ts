import { readStatistics } from '../../../contract/read/statistics.ts'
import { parseGrouping } from '../../../query/grouping.ts'
import { RequestAsker } from '../../requests/asker.ts'
import { queryOf } from '../../requests/parameters.ts'
import { sendBytes } from '../../responses/send-bytes.ts'
import type { Router } from '../../router.ts'
import { StatisticsCache } from './cache.ts'

export function statisticsRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const { places } = geography
  const cache = new StatisticsCache(places, queries)

  router.add(readStatistics, async ({ request, reply, services: { archive, freshness } }) => {
    const grouping = parseGrouping(new URLSearchParams(queryOf(request)), places)
    const statistics = await cache.getStatistics(archive, grouping, clock(), new RequestAsker(request, reply))
    statistics.stamp(freshness.stamp)
    return sendBytes(request, reply, statistics, 'application/json; charset=utf-8')
  })
}
