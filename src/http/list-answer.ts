import type { Archive } from '../archive/archive.ts'
import { readCursor, writeCursor } from '../archive/cursor.ts'
import type { Listing } from '../domain/listing.ts'
import { spanMilliseconds } from '../domain/time.ts'
import { metaOf } from './meta.ts'

const HEAD = Buffer.from('{"data":[')
const COMMA = 0x2c

export interface ListAnswer {
  readonly body: Buffer
  readonly nextCursor: string | null
  /** Up to when the same question has the same answer, as long as nothing happens: `since` lets incidents fall out of it. */
  readonly validUntil: number
  /**
   * What, with the question, decides the bytes: how far the log was read, and between which incidents the page lies, for
   * a relative window moves though nothing happens.
   */
  readonly identity: string
}

/** A page of the archive, joined from the incidents' own bytes. */
export function listAnswer(archive: Archive, listing: Listing, now: number): ListAnswer {
  const cursor = listing.cursor === null ? null : readCursor(listing.cursor, listing)
  // Only a relative window depends on when it was asked; without one, the same page has the same cursor on every node.
  const asked = cursor?.asked ?? (listing.filter.since === null ? 0 : now)
  const { slots, next } = archive.find({ ...listing, after: cursor?.position ?? null, now: asked })
  const last = slots.at(-1)
  const nextCursor = next === null ? null : writeCursor({ position: archive.position(last!), asked }, listing)
  const tail = Buffer.from(`],${envelope(archive, nextCursor)}}`)
  return {
    body: join(archive, slots, tail),
    nextCursor,
    validUntil: cursor ? Number.POSITIVE_INFINITY : validUntil(archive, listing, slots, next),
    identity: identityOf(archive, slots, next),
  }
}

/** Between two events a window only loses incidents at its far end: where the page begins, how long it is and whether it goes on then tell it. */
function identityOf(archive: Archive, slots: readonly number[], next: number | null): string {
  return `${archive.head.seq} ${slots.length} ${next !== null} ${slots.length === 0 ? '' : archive.position(slots[0]!).suffix}`
}

function join(archive: Archive, slots: readonly number[], tail: Buffer): Buffer {
  let length = HEAD.length + tail.length + Math.max(0, slots.length - 1)
  for (const slot of slots) length += archive.bodyLength(slot)
  const body = Buffer.allocUnsafeSlow(length)
  body.set(HEAD)
  let at = HEAD.length
  for (const [index, slot] of slots.entries()) {
    if (index > 0) body[at++] = COMMA
    body.set(archive.body(slot), at)
    at += archive.bodyLength(slot)
  }
  body.set(tail, at)
  return body
}

function envelope(archive: Archive, nextCursor: string | null): string {
  return `"has_more":${nextCursor !== null},"next_cursor":${JSON.stringify(nextCursor)},"meta":${JSON.stringify(metaOf(archive))}`
}

function validUntil(
  archive: Archive,
  { filter, order }: Listing,
  slots: readonly number[],
  next: number | null,
): number {
  const oldest = order === 'oldest' ? slots[0] : (next ?? slots.at(-1))
  if (filter.since === null || oldest === undefined) return Number.POSITIVE_INFINITY
  return archive.position(oldest).publishedAt + spanMilliseconds(filter.since)
}
