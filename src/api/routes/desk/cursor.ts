import { crc32 } from 'node:zlib'
import { Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { canonicalQuery } from '../../../filter/filter/canonical.ts'
import type { DeskPosition } from '../../../store/store.ts'
import { invalidCursor } from '../../requests/parameters.ts'
import type { DeskListing } from './request.ts'

const VERSION = 'd1'

/** A position in the queue, bound to its filters and order. */
export function writeDeskCursor({ rank, reportedAt, id }: DeskPosition, listing: DeskListing): string {
  const parts = [VERSION, questionOf(listing), rank, reportedAt, id].join(' ')
  return Buffer.from(`${parts} ${crc32(parts).toString(36)}`).toString('base64url')
}

/** Throws a `Problem` if the text is not a cursor, or belongs to another list. */
export function readDeskCursor(text: string, listing: DeskListing): DeskPosition {
  const plain = Buffer.from(text, 'base64url').toString('latin1')
  const end = plain.lastIndexOf(' ')
  const [version, question, rank, reportedAt, id = ''] = plain.slice(0, Math.max(end, 0)).split(' ')
  const position = { rank: Number(rank), reportedAt: Number(reportedAt), id }
  const isIntact =
    version === VERSION &&
    plain.slice(end + 1) === crc32(plain.slice(0, end)).toString(36) &&
    Number.isFinite(position.rank) &&
    Number.isSafeInteger(position.reportedAt) &&
    isIdentifier('incident', id)
  if (!isIntact) throw invalidCursor()
  if (question !== questionOf(listing)) {
    const message = 'belongs to other filters or another order; repeat those, or start without a cursor'
    throw new Problem('cursor_of_another_query', `The cursor ${message}.`, {
      errors: [{ parameter: 'cursor', message }],
    })
  }
  return position
}

function questionOf({ filter, status, order, words, origin, claimedBy }: DeskListing): string {
  return crc32([canonicalQuery(filter), status, order, words.join(' '), origin, claimedBy].join('|')).toString(36)
}
