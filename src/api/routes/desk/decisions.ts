import { type Amendment, amendIncident } from '../../../desk/desk/amend.ts'
import { mergeIncident as merge } from '../../../desk/desk/merge.ts'
import { transitionIncident } from '../../../desk/desk/transitions.ts'
import { undoStep as undo } from '../../../desk/desk/undo.ts'
import { unmergeIncident as unmerge } from '../../../desk/desk/unmerge.ts'
import { Problem } from '../../../domain/errors.ts'
import { changeDesk } from '../../contract/desk/correction.ts'
import {
  confirmIncident,
  mergeIncident,
  rejectIncident,
  reopenIncident,
  restoreIncident,
  retractIncident,
  undoStep,
  unmergeIncident,
} from '../../contract/desk/decisions.ts'
import type { Router } from '../../router.ts'
import { type DeskMoves, parseIfMatch } from './moves.ts'

export function decisionRoutes(router: Router, moves: DeskMoves): void {
  const { geography } = router.environment

  router.add(changeDesk, async (context) => {
    const { request, parameters, body, services } = context
    if (parseIfMatch(request) === undefined)
      throw new Problem('version_required', 'Send If-Match: "<version>" with the version that you have read.')
    const { note, ...amendment } = body
    const decision = moves.decisionOf(request, { note: note ?? null })
    return moves.change(context, parameters.id, (save) =>
      amendIncident(parameters.id, amendment as Amendment, decision, services.store, geography, save),
    )
  })

  for (const [transition, declared] of [
    ['confirm', confirmIncident],
    ['reject', rejectIncident],
    ['retract', retractIncident],
    ['reopen', reopenIncident],
    ['restore', restoreIncident],
  ] as const) {
    router.add(declared, async (context) => {
      const { request, parameters, body, services } = context
      const decision = moves.decisionOf(request, body)
      return moves.change(context, parameters.id, (save) =>
        transitionIncident(parameters.id, transition, decision, services.store, save),
      )
    })
  }

  router.add(mergeIncident, async (context) => {
    const { request, parameters, body, services } = context
    const { into, take = {}, into_version = null } = body
    const decision = moves.decisionOf(request, body)
    return moves.change(context, into, (save) =>
      merge(parameters.id, { into, take, intoVersion: into_version }, decision, services.store, save),
    )
  })

  router.add(unmergeIncident, async (context) => {
    const { request, parameters, body, services } = context
    const decision = moves.decisionOf(request, body)
    return moves.change(context, parameters.id, (save) => unmerge(parameters.id, decision, services.store, save))
  })

  router.add(undoStep, async (context) => {
    const { request, parameters, body, services } = context
    const decision = moves.decisionOf(request, body)
    return moves.change(context, parameters.id, (save) =>
      undo(parameters.id, body.step, decision, services.store, save),
    )
  })
}
