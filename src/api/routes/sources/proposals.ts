import { loadIncident } from '../../../desk/desk/moderated-incident.ts'
import { acceptProposal, dismissProposal } from '../../../desk/sources/decide-proposal.ts'
import { type FieldError, invalidParameters } from '../../../domain/errors.ts'
import { parseLimit } from '../../../filter/parameter-values.ts'
import {
  acceptProposedSource,
  dismissProposedSource,
  listProposedSources,
  listProposedSourcesOf,
} from '../../contract/sources/proposed-sources.ts'
import { pageOf, parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { DeskMoves } from '../desk/moves.ts'
import { positionCursor, readPositionCursor } from './cursor.ts'
import { proposalResponse } from './response.ts'

const MAX_PAGE_SIZE = 200

export function proposalRoutes(router: Router): void {
  const { geography } = router.environment
  const moves = new DeskMoves(router)

  router.add(listProposedSources, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listProposedSources, geography.places)
    const errors: FieldError[] = []
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const position = readPositionCursor('proposal', text('cursor'))
    const before = position && { proposedAt: position.at, id: position.id }
    const proposals = await store.sources.openProposals(before, limit + 1)
    return pageOf(proposals, limit, ({ proposedAt, id }) => positionCursor(proposedAt, id), proposalResponse)
  })

  router.add(listProposedSourcesOf, async ({ parameters, services: { store } }) => {
    await loadIncident(parameters.id, store)
    return { data: (await store.sources.proposalsFor(parameters.id)).map(proposalResponse) }
  })

  router.add(acceptProposedSource, async (context) => {
    const { request, parameters, body, services } = context
    const decision = moves.decisionOf(request, body)
    return moves.change(context, parameters.id, (save) =>
      acceptProposal(parameters.id, parameters.proposal, decision, services.store, save),
    )
  })

  router.add(dismissProposedSource, async (context) => {
    const { request, parameters, body, services } = context
    const decision = moves.decisionOf(request, body)
    return moves.change(context, parameters.id, (save) =>
      dismissProposal(parameters.id, parameters.proposal, body?.queue === true, decision, services.store, save),
    )
  })
}
