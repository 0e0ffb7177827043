import { isIdentifier } from '../../../domain/identifier.ts'
import { invalidCursor } from '../../requests/parameters.ts'

/** A place in a list that is ordered by time and id. */
export function positionCursor(at: number, id: string): string {
  return `${at}.${id}`
}

/** Throws a `Problem` if the text is not a cursor; null without one. */
export function readPositionCursor(noun: 'item' | 'proposal', text: string | null): { at: number; id: string } | null {
  if (text === null) return null
  const [at = '', id = ''] = text.split('.')
  if (!/^\d{1,15}$/.test(at) || !isIdentifier(noun, id)) throw invalidCursor()
  return { at: Number(at), id }
}
