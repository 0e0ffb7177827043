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
  /** The end of the log then, as clients have it; empty if the list is not made from the log. */
  readonly log: string
}

/** The part of a listing that a cursor is bound to. */
type Question = Pick<Listing, 'filter' | 'order'>

const VERSION = '1'

export function writeCursor(cursor: Cursor, listing: Question): string {
  const { publishedAt, suffix } = cursor.position
  const page = [VERSION, questionOf(listing), publishedAt.toString(36), suffix, cursor.requestedAt.toString(36)]
  const parts = [...page, ...(cursor.log === '' ? [] : [cursor.log])].join('.')
  return Buffer.from(`${parts}.${crc32(parts).toString(36)}`).toString('base64url')
}

/** Throws a `Problem` if the text is not a cursor, or belongs to another query. */
export function readCursor(text: string, listing: Question): Cursor {
  const plain = plainTextOf(text)
  const end = plain.lastIndexOf('.')
  const [version, question, publishedAt, suffix, requestedAt, ...log] = partsOf(plain)
  const position = { publishedAt: Number.parseInt(publishedAt ?? '', 36), suffix: suffix ?? '' }
  const cursor = { position, requestedAt: Number.parseInt(requestedAt ?? '', 36), log: log.join('.') }
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

/** The end of the log when the list was begun; empty also if the text is no cursor. */
export function logOfCursor(text: string): string {
  return partsOf(plainTextOf(text)).slice(5).join('.')
}

function plainTextOf(text: string): string {
  return Buffer.from(text, 'base64url').toString('latin1')
}

/** Without the checksum, which comes last. */
function partsOf(plain: string): string[] {
  return plain.slice(0, Math.max(plain.lastIndexOf('.'), 0)).split('.')
}

function questionOf(listing: Question): string {
  return crc32(`${canonicalQuery(listing.filter)} ${listing.order}`).toString(36)
}

function refusal(code: 'invalid_cursor' | 'cursor_of_another_query', message: string): Problem {
  return new Problem(code, `The cursor ${message}.`, { errors: [{ parameter: 'cursor', message }] })
}
