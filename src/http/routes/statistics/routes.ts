import { readStatistics } from '../../../contract/read/statistics.ts'
import { parseGrouping } from '../../../query/grouping.ts'
import { queryOf } from '../../requests/parameters.ts'
import { sendBytes } from '../../responses/send-bytes.ts'
import type { Router } from '../../router.ts'
import { StatisticsCache } from './cache.ts'

export function statisticsRoutes(router: Router): void {
  const { clock, geography } = router.environment
  const { places } = geography
  const kept = new StatisticsCache(places)

  router.add(readStatistics, ({ request, reply, services: { archive } }) => {
    const grouping = parseGrouping(new URLSearchParams(queryOf(request)), places)
    const answer = kept.find(archive, grouping, clock())
    return sendBytes(request, reply, answer, 'application/json; charset=utf-8')
  })
}
