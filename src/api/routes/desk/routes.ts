import { loadIncident } from '../../../desk/desk/moderated-incident.ts'
import { readHistory } from '../../contract/desk/history.ts'
import { countDesk, listDesk, readDesk } from '../../contract/desk/queue.ts'
import { QueryClient } from '../../requests/client.ts'
import { parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { bulkRoutes } from './bulk.ts'
import { claimRoutes } from './claims.ts'
import { countsResponse } from './counts.ts'
import { decisionRoutes } from './decisions.ts'
import { duplicateRoutes } from './duplicates/routes.ts'
import { extractRoutes } from './extract.ts'
import { DeskMoves } from './moves.ts'
import { confirmedPositions, type FindConfirmed, readDeskPage } from './page.ts'
import { parseDeskListing } from './request.ts'
import { deskResponse, deskResponses, historyEntryResponse } from './response.ts'
import { deskStreamRoutes } from './stream.ts'
import { deskTipRoutes } from './tips.ts'

export function deskRoutes(router: Router): void {
  const { clock, geography, queries } = router.environment
  const moves = new DeskMoves(router)

  router.add(listDesk, async ({ request, reply, services }) => {
    const parameters = parametersOf(request, listDesk, geography.places)
    const listing = parseDeskListing(parameters, request.caller!.account.id)
    const asker = new QueryClient(request, reply)
    const findConfirmed: FindConfirmed = async (query) =>
      queries.run(services.archive, asker, (view) => confirmedPositions(view, query))
    const { records, nextCursor } = await readDeskPage(listing, services.store, findConfirmed, clock())
    return {
      data: listing.withDuplicates
        ? await deskResponses(records, services.store, moves.published(services, reply), clock())
        : records.map((record) => deskResponse(record, [], clock())),
      has_more: nextCursor !== null,
      next_cursor: nextCursor,
    }
  })

  router.add(countDesk, ({ request, services }) => countsResponse(services, request.caller!.account.id, clock()))

  router.add(readDesk, ({ reply, parameters, services }) => moves.show(reply, parameters.id, services))

  router.add(readHistory, async ({ parameters, services: { store } }) => {
    await loadIncident(parameters.id, store)
    return { data: (await store.incidents.history(parameters.id)).map(historyEntryResponse) }
  })

  decisionRoutes(router, moves)
  claimRoutes(router, moves)
  bulkRoutes(router, moves)
  duplicateRoutes(router, moves)
  extractRoutes(router)
  deskStreamRoutes(router)
  deskTipRoutes(router)
}
