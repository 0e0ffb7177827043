import { type Grouping, parseGrouping, parseGroupingBody } from '../../../filter/grouping.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { queryStatistics, readStatistics } from '../../contract/read/statistics.ts'
import { RequestAsker } from '../../requests/asker.ts'
import { answerBody } from '../../requests/body-query.ts'
import { areaOfBody, areaOfQuery } from '../../requests/find-area.ts'
import { queryOf } from '../../requests/parameters.ts'
import { sendBytes } from '../../responses/send-bytes.ts'
import type { RequestContext, Router } from '../../router.ts'
import { StatisticsCache } from './cache.ts'

export function statisticsRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const { places } = geography
  const cache = new StatisticsCache(places, queries)

  router.add(readStatistics, async (context) => {
    const { request, services } = context
    const area = await areaOfQuery(request, services.store, places)
    return sendStatistics(parseGrouping(new URLSearchParams(queryOf(request)), places, area), context)
  })

  router.add(queryStatistics, (context) =>
    answerBody(async () => {
      const { request, body, services } = context
      const area = await areaOfBody(request, services.store, body, '', places)
      return sendStatistics(parseGroupingBody(body, places, area), context)
    }),
  )

  async function sendStatistics(
    grouping: Grouping,
    { request, reply, services: { archive, freshness } }: RequestContext<Endpoint>,
  ) {
    const statistics = await cache.getStatistics(archive, grouping, clock(), new RequestAsker(request, reply))
    statistics.stamp(freshness.stamp)
    return sendBytes(request, reply, statistics, 'application/json; charset=utf-8')
  }
}
