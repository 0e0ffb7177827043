import { readStatistics } from '../../contract/statistics.ts'
import { parseGrouping } from '../../domain/grouping.ts'
import { archiveOf } from '../dependencies.ts'
import { KeptStatistics } from '../kept-statistics.ts'
import { queryOf } from '../query.ts'
import type { Router } from '../router.ts'
import { sendBytes } from '../send-bytes.ts'

export function statisticsRoutes(router: Router): void {
  const { dependencies } = router
  const { places } = dependencies.geography
  const kept = new KeptStatistics(places)

  router.add(readStatistics, ({ request, reply }) => {
    const grouping = parseGrouping(new URLSearchParams(queryOf(request)), places)
    const answer = kept.find(archiveOf(dependencies), grouping, dependencies.clock())
    return sendBytes(request, reply, answer, 'application/json; charset=utf-8')
  })
}
