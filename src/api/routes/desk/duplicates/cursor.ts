import { Problem } from '../../../../domain/errors.ts'
import { isIdentifier } from '../../../../domain/identifier.ts'
import type { DismissalPosition, PairPosition } from '../../../../store/store.ts'
import { invalidCursor } from '../../../requests/parameters.ts'

const SEPARATOR = '~'

export function openPairCursor({ importId, score, incidentId, otherId }: PairPosition): string {
  return ['open', importId, score, incidentId, otherId].join(SEPARATOR)
}

export function dismissalCursor({ dismissedAt, oneId, otherId }: DismissalPosition): string {
  return ['dismissed', dismissedAt, oneId, otherId].join(SEPARATOR)
}

/** Throws a `Problem` if the text is no cursor of open pairs. */
export function readOpenPairCursor(text: string): PairPosition {
  const [list, importId = '', score = '', incidentId = '', otherId = '', ...rest] = text.split(SEPARATOR)
  if (list === 'dismissed') throw cursorOfAnotherList()
  const isValid =
    list === 'open' && rest.length === 0 && isIdentifier('import', importId) && /^[01](\.\d{1,17})?$/.test(score)
  if (!isValid || !areIncidents(incidentId, otherId)) throw invalidCursor()
  return { importId, score: Number(score), incidentId, otherId }
}

/** Throws a `Problem` if the text is no cursor of dismissed pairs. */
export function readDismissalCursor(text: string): DismissalPosition {
  const [list, dismissedAt = '', oneId = '', otherId = '', ...rest] = text.split(SEPARATOR)
  if (list === 'open') throw cursorOfAnotherList()
  const isValid = list === 'dismissed' && rest.length === 0 && /^\d{1,15}$/.test(dismissedAt)
  if (!isValid || !areIncidents(oneId, otherId)) throw invalidCursor()
  return { dismissedAt: Number(dismissedAt), oneId, otherId }
}

function areIncidents(...ids: readonly string[]): boolean {
  return ids.every((id) => isIdentifier('incident', id))
}

function cursorOfAnotherList(): Problem {
  const message = 'belongs to the other list; name that, or start without a cursor'
  return new Problem('cursor_of_another_query', `The cursor ${message}.`, {
    errors: [{ parameter: 'cursor', message }],
  })
}
