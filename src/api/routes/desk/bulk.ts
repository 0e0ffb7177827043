import type { BulkResults } from '../../../../client/src/generated/types.ts'
import { claimIncident, releaseIncident } from '../../../desk/desk/claims.ts'
import type { Decision } from '../../../desk/desk/decision.ts'
import type { ModeratedIncident } from '../../../desk/desk/moderated-incident.ts'
import { transitionIncident } from '../../../desk/desk/transitions.ts'
import { ERRORS } from '../../../domain/error-codes.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import { type BulkMove, undoOf } from '../../../domain/lifecycle.ts'
import { eventLoopShare } from '../../../lib/event-loop-share.ts'
import type { IncidentChange, Store } from '../../../store/store.ts'
import { moveInBulk } from '../../contract/desk/bulk.ts'
import { problemBody } from '../../responses/problem.ts'
import type { Router } from '../../router.ts'
import type { DeskMoves } from './moves.ts'
import { claimResponse, undoResponse } from './response.ts'

export function bulkRoutes(router: Router, moves: DeskMoves): void {
  router.add(moveInBulk, async ({ request, reply, body, services: { store } }) => {
    const { ids, move } = body
    const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
    if (repeated >= 0) throw invalidBody([{ pointer: `/ids/${repeated}`, message: 'is named twice' }])
    const decision = moves.decisionOf(request, body)
    const data: BulkResults['data'][number][] = []
    let done = 0
    for (const id of ids) {
      // Each has its own transaction, and others take turns between two.
      await eventLoopShare.nextSlice(decision.by.key_id)
      try {
        data.push({ id, status: 200, incident: await moveOne(id, move, decision, store) })
        done++
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        data.push({ id, status: ERRORS[error.code].status, problem: problemBody(error, request.id) })
      }
    }
    reply.status(207)
    return { done, refused: ids.length - done, data }
  })
}

/** Shows the incident without its possible duplicates: finding those of 200 would take seconds. */
async function moveOne(id: string, move: BulkMove, decision: Decision, store: Store) {
  if (move === 'claim' || move === 'release') {
    let shown: ModeratedIncident | null = null
    const answered = async (state: ModeratedIncident) => {
      shown = state
      return store
    }
    if (move === 'claim') await claimIncident(id, false, decision, store, answered)
    else await releaseIncident(id, decision, store, answered)
    const { incident, claim } = shown!
    return summaryOf(incident, claimResponse(claim, decision.now), null)
  }
  let saved: IncidentChange | null = null
  await transitionIncident(id, move, decision, store, async (changes) => {
    saved = changes[0]!
    await store.incidents.save(changes, decision.now)
  })
  const { incident, historyEntry } = saved!
  return summaryOf(incident, null, undoResponse(id, undoOf([historyEntry!])))
}

function summaryOf<Claim, Undo>({ id, status, version }: ModeratedIncident['incident'], claim: Claim, undo: Undo) {
  return { id, status, version, claim, undo }
}
