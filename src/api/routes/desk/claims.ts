import { claimIncident as claim, releaseIncident as release } from '../../../desk/desk/claims.ts'
import { addNote as note } from '../../../desk/desk/notes.ts'
import { invalidBody } from '../../../domain/errors.ts'
import { addNote, claimIncident, releaseIncident } from '../../contract/desk/claims.ts'
import type { Router } from '../../router.ts'
import type { DeskMoves } from './moves.ts'

export function claimRoutes(router: Router, moves: DeskMoves): void {
  router.add(claimIncident, async (context) => {
    const { request, parameters, body, services } = context
    const decision = moves.decisionOf(request, undefined)
    return moves.changeClaim(context, (answered) =>
      claim(parameters.id, body?.take_over === true, decision, services.store, answered),
    )
  })

  router.add(releaseIncident, async (context) => {
    const { request, parameters, services } = context
    const decision = moves.decisionOf(request, undefined)
    return moves.changeClaim(context, (answered) => release(parameters.id, decision, services.store, answered))
  })

  router.add(addNote, async (context) => {
    const { request, parameters, body, services } = context
    const decision = moves.decisionOf(request, body)
    if (decision.note === null) throw invalidBody([{ pointer: '/note', message: 'has no letter' }])
    return moves.change(context, parameters.id, (save) => note(parameters.id, decision, services.store, save), 201)
  })
}
