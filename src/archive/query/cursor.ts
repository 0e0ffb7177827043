import { crc32 } from 'node:zlib'
import { Problem } from '../../domain/errors.ts'
import { isIdentifier, PREFIXES } from '../../domain/identifier.ts'
import { canonicalQuery } from '../../filter/filter.ts'
import type { Listing } from '../../filter/listing.ts'
import type { Position } from '../columns/columns.ts'

/** The page's end and the first page's request time, so that all pages share one `since` window. */
interface Cursor {
  readonly position: Position
  readonly requestedAt: number
}

/** The part of a listing that a cursor is bound to. */
type Question = Pick<Listing, 'filter' | 'order'>

const VERSION = '1'

export function writeCursor(cursor: Cursor, listing: Question): string {
  const { publishedAt, suffix } = cursor.position
  const parts = [VERSION, questionOf(listing), publishedAt.toString(36), suffix, cursor.requestedAt.toString(36)].join(
    '.',
  )
  return Buffer.from(`${parts}.${crc32(parts).toString(36)}`).toString('base64url')
}

/** Throws a `Problem` if the text is not a cursor, or belongs to another query. */
export function readCursor(text: string, listing: Question): Cursor {
  const plain = Buffer.from(text, 'base64url').toString('latin1')
  const end = plain.lastIndexOf('.')
  const [version, question, publishedAt, suffix, requestedAt] = plain.slice(0, Math.max(end, 0)).split('.')
  const position = { publishedAt: Number.parseInt(publishedAt ?? '', 36), suffix: suffix ?? '' }
  const cursor = { position, requestedAt: Number.parseInt(requestedAt ?? '', 36) }
  const intact =
    version === VERSION &&
    plain.slice(end + 1) === crc32(plain.slice(0, end)).toString(36) &&
    isIdentifier('incident', PREFIXES.incident + position.suffix) &&
    Number.isSafeInteger(position.publishedAt) &&
    Number.isSafeInteger(cursor.requestedAt)
  if (!intact) throw refusal('invalid_cursor', 'was not issued by this service; send next_cursor unchanged')
  if (question !== questionOf(listing)) {
    throw refusal(
      'cursor_of_another_query',
      'belongs to other filters or another order; repeat those, or start without a cursor',
    )
  }
  return cursor
}

function questionOf(listing: Question): string {
  return crc32(`${canonicalQuery(listing.filter)} ${listing.order}`).toString(36)
}

function refusal(code: 'invalid_cursor' | 'cursor_of_another_query', message: string): Problem {
  return new Problem(code, `The cursor ${message}.`, { errors: [{ parameter: 'cursor', message }] })
}
