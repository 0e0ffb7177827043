import type { Archive } from '../../archive/archive.ts'
import { readCursor, writeCursor } from '../../archive/query/cursor.ts'
import type { Incident } from '../../domain/incident.ts'
import { LAYOUTS, type Layout } from '../../formats/layouts.ts'
import { durationMs } from '../../lib/time/time.ts'
import type { Listing } from '../../query/listing.ts'
import { metaOf } from './meta.ts'

export interface RenderedList {
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

/** A page of the archive, in JSON where no other layout is given. */
export function renderIncidentList(
  archive: Archive,
  listing: Listing,
  now: number,
  layout = LAYOUTS.json,
): RenderedList {
  const cursor = listing.cursor === null ? null : readCursor(listing.cursor, listing)
  // Only a relative window depends on when it was asked; without one, the same page has the same cursor on every node.
  const requestedAt = cursor?.requestedAt ?? (listing.filter.since === null ? 0 : now)
  const { slots, next } = archive.findPage({ ...listing, after: cursor?.position ?? null, now: requestedAt })
  const last = slots.at(-1)
  const nextCursor = next === null ? null : writeCursor({ position: archive.positionOf(last!), requestedAt }, listing)
  const tail = Buffer.from(layout.tail(envelope(archive, nextCursor)))
  return {
    body:
      layout.write === null ? join(archive, slots, layout, tail) : write(archive, slots, layout, layout.write, tail),
    nextCursor,
    validUntil: cursor ? Number.POSITIVE_INFINITY : validUntil(archive, listing, slots, next),
    identity: identityOf(archive, slots, next),
  }
}

/** Between two events a window only loses incidents at its far end: where the page begins, how long it is and whether it goes on then tell it. */
function identityOf(archive: Archive, slots: readonly number[], next: number | null): string {
  return `${archive.head.seq} ${slots.length} ${next !== null} ${slots.length === 0 ? '' : archive.positionOf(slots[0]!).suffix}`
}

/** From the incidents' own bytes. */
function join(archive: Archive, slots: readonly number[], layout: Layout, tail: Buffer): Buffer {
  const { head, separator, ending } = layout
  let length = head.length + tail.length + Math.max(0, slots.length - 1) * separator.length
  for (const slot of slots) length += archive.documentLengthOf(slot) + ending.length
  const body = Buffer.allocUnsafeSlow(length)
  body.set(head)
  let at = head.length
  for (const [index, slot] of slots.entries()) {
    if (index > 0) at = put(body, separator, at)
    at = put(body, archive.documentOf(slot), at)
    at = put(body, ending, at)
  }
  body.set(tail, at)
  return body
}

function put(body: Buffer, bytes: Uint8Array, at: number): number {
  body.set(bytes, at)
  return at + bytes.length
}

function write(
  archive: Archive,
  slots: readonly number[],
  { head, separator, ending }: Layout,
  written: (incident: Incident) => string,
  tail: Buffer,
): Buffer {
  const parts: Uint8Array[] = [head]
  for (const [index, slot] of slots.entries()) {
    if (index > 0) parts.push(separator)
    parts.push(Buffer.from(written(archive.incidentOf(slot))), ending)
  }
  return Buffer.concat([...parts, tail])
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
  return archive.positionOf(oldest).publishedAt + durationMs(filter.since)
}
