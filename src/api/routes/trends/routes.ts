import { parseTrendQuestion } from '../../../filter/trend-question.ts'
import { readTrends } from '../../contract/read/trends.ts'
import { RequestAsker } from '../../requests/asker.ts'
import { areaOfQuery } from '../../requests/find-area.ts'
import { queryOf } from '../../requests/parameters.ts'
import { sendBytes } from '../../responses/send-bytes.ts'
import { TrendsCache } from '../../responses/trends/trends-cache.ts'
import type { Router } from '../../router.ts'
import { renewTrends, type TrendsAnswer, writeTrends } from './response.ts'

export function trendRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const { places } = geography
  const cache = new TrendsCache<TrendsAnswer>(queries, {
    write: (trends, question, view) => writeTrends(trends, question, places, view),
    renew: renewTrends,
    sizeOf: ({ cached }) => cached.size,
  })

  router.add(readTrends, async ({ request, reply, services: { archive, store, freshness } }) => {
    const now = clock()
    const area = await areaOfQuery(request, store, places)
    const question = parseTrendQuestion(new URLSearchParams(queryOf(request)), places, now, area)
    const { cached } = await cache.getTrends(archive, question, now, new RequestAsker(request, reply))
    cached.stamp(freshness.stamp)
    return sendBytes(request, reply, cached, 'application/json; charset=utf-8')
  })
}
