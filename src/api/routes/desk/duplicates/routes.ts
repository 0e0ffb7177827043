import { dismissDuplicate as dismiss, offerDuplicate as offer } from '../../../../desk/desk/duplicates/dismiss.ts'
import { readDismissedPairs, readOpenPairs } from '../../../../desk/desk/duplicates/pairs.ts'
import { type FieldError, invalidParameters } from '../../../../domain/errors.ts'
import { parseChoice, parseLimit } from '../../../../filter/parameter-values.ts'
import type { Store } from '../../../../store/store.ts'
import { dismissDuplicate, listDuplicates, offerDuplicate, PAIR_LISTS } from '../../../contract/desk/duplicates.ts'
import { parametersOf } from '../../../requests/parameters.ts'
import type { Router } from '../../../router.ts'
import type { DeskMoves } from '../moves.ts'
import { dismissalCursor, openPairCursor, readDismissalCursor, readOpenPairCursor } from './cursor.ts'
import { pairResponse } from './response.ts'

const MAX_PAGE_SIZE = 100

export function duplicateRoutes(router: Router, moves: DeskMoves): void {
  const { clock, geography } = router.environment

  router.add(listDuplicates, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listDuplicates, geography.places)
    const errors: FieldError[] = []
    const list = parseChoice('list', text('list'), PAIR_LISTS, errors) ?? 'open'
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const { pairs, cursor } = await readPage(list, text('cursor'), limit, store)
    return { data: pairs.map((pair) => pairResponse(pair, clock())), has_more: cursor !== null, next_cursor: cursor }
  })

  for (const [declared, decide] of [
    [dismissDuplicate, dismiss],
    [offerDuplicate, offer],
  ] as const) {
    router.add(declared, async (context) => {
      const { request, parameters, body, services } = context
      const decision = moves.decisionOf(request, body)
      const other = { id: parameters.other, version: body?.other_version ?? null }
      return moves.change(context, parameters.id, (save) =>
        decide(parameters.id, other, decision, services.store, save),
      )
    })
  }
}

async function readPage(list: (typeof PAIR_LISTS)[number], cursor: string | null, limit: number, store: Store) {
  if (list === 'open') {
    const { pairs, next } = await readOpenPairs(cursor === null ? null : readOpenPairCursor(cursor), limit, store)
    return { pairs, cursor: next && openPairCursor(next) }
  }
  const { pairs, next } = await readDismissedPairs(cursor === null ? null : readDismissalCursor(cursor), limit, store)
  return { pairs, cursor: next && dismissalCursor(next) }
}
