import type { ArchiveView } from '../../archive/archive-view.ts'
import { readCursor, writeCursor } from '../../archive/query/cursor.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Listing } from '../../filter/listing.ts'
import { LAYOUTS, type Layout } from '../../formats/layouts.ts'
import type { BufferPool, PooledBuffer } from '../../lib/buffer-pool.ts'
import type { Steps } from '../../lib/steps.ts'
import { durationMs } from '../../lib/time.ts'
import { hashOf } from './cached-body.ts'
import { IN_STEP_PLACEHOLDER, metaJson } from './meta.ts'

export interface RenderedList {
  readonly body: Buffer
  /** The room of the body, if it is from a pool. */
  readonly pooled: PooledBuffer | null
  /** The position of `meta.in_step_at`; null in a format without `meta`. */
  readonly inStepPosition: number | null
  readonly nextCursor: string | null
  /** Without new events the list is the same until then: incidents leave a `since` window. */
  readonly validUntil: number
  /**
   * With the query and the format, determines the content: the incidents, and whether more follow.
   */
  readonly identity: string
  /** The last event that the list includes. */
  readonly seq: number
}

/** Formats that parse each incident write this many in one step. */
const INCIDENTS_PER_STEP = 25
/** A digest that is not known yet takes two microseconds. */
const DIGESTS_PER_STEP = 250

export function* renderIncidentList(
  view: ArchiveView,
  listing: Listing,
  now: number,
  layout = LAYOUTS.json,
  pool: BufferPool | null = null,
): Steps<RenderedList> {
  const cursor = listing.cursor === null ? null : readCursor(listing.cursor, listing)
  // Only a `since` window depends on the time. Without one, the time is left out, so that every
  // node gives the same cursor for the same page.
  const requestedAt = cursor?.requestedAt ?? (listing.filter.since === null ? 0 : now)
  const { slots, next } = yield* view.findPage({ ...listing, after: cursor?.position ?? null, now: requestedAt })
  const last = slots.at(-1)
  const nextCursor = next === null ? null : writeCursor({ position: view.positionOf(last!), requestedAt }, listing)
  const tail = Buffer.from(layout.tail(envelope(view, nextCursor)))
  const length = layout.write === null ? copiedLength(view, slots, layout, tail) : 0
  const pooled = layout.write === null && pool !== null ? pool.take(length) : null
  const body =
    layout.write === null
      ? copyDocuments(view, slots, layout, tail, pooled?.bytes ?? Buffer.allocUnsafeSlow(length))
      : yield* writeDocuments(view, slots, layout, layout.write, tail)
  const inTail = tail.lastIndexOf(IN_STEP_PLACEHOLDER)
  return {
    body,
    pooled,
    inStepPosition: inTail === -1 ? null : body.length - tail.length + inTail,
    nextCursor,
    validUntil: cursor ? Number.POSITIVE_INFINITY : validUntil(view, listing, slots, next),
    identity: `${next !== null} ${hashOf(yield* digestsOf(view, slots, layout.write === null ? { body, layout } : null))}`,
    seq: view.head.seq,
  }
}

function copiedLength(view: ArchiveView, slots: readonly number[], layout: Layout, tail: Buffer): number {
  const { head, separator, ending } = layout
  let length = head.length + tail.length + Math.max(0, slots.length - 1) * separator.length
  for (const slot of slots) length += view.documentLengthOf(slot) + ending.length
  return length
}

/** Copies the stored bytes without parsing them. */
function copyDocuments(
  view: ArchiveView,
  slots: readonly number[],
  { head, separator, ending }: Layout,
  tail: Buffer,
  body: Buffer,
): Buffer {
  body.set(head)
  let at = head.length
  let isFirst = true
  view.readDocuments(slots, (bytes, start, end) => {
    if (!isFirst) at = copyFew(body, separator, at)
    isFirst = false
    body.set(bytes.subarray(start, end), at)
    at = copyFew(body, ending, at + end - start)
  })
  body.set(tail, at)
  return body
}

/** Byte by byte: for one or two of them, `set` costs more than it copies. */
function copyFew(body: Buffer, bytes: Uint8Array, start: number): number {
  let at = start
  for (let index = 0; index < bytes.length; index++) body[at++] = bytes[index]!
  return at
}

function* writeDocuments(
  view: ArchiveView,
  slots: readonly number[],
  { head, separator, ending }: Layout,
  writeIncident: (incident: Incident) => string,
  tail: Buffer,
): Steps<Buffer> {
  const parts: Uint8Array[] = [head]
  for (const [index, slot] of slots.entries()) {
    if (index > 0) parts.push(separator)
    if (index % INCIDENTS_PER_STEP === INCIDENTS_PER_STEP - 1) yield
    parts.push(Buffer.from(writeIncident(view.incidentOf(slot))), ending)
  }
  return Buffer.concat([...parts, tail])
}

/**
 * Takes documents from the body they were copied into, if there is one: old ones would be read
 * twice from a file.
 */
function* digestsOf(
  view: ArchiveView,
  slots: readonly number[],
  copied: { body: Buffer; layout: Layout } | null,
): Steps<Uint8Array> {
  const digests = new Float64Array(slots.length)
  let at = copied?.layout.head.length ?? 0
  const between = copied === null ? 0 : copied.layout.separator.length + copied.layout.ending.length
  for (let index = 0; index < slots.length; index++) {
    if (index % DIGESTS_PER_STEP === DIGESTS_PER_STEP - 1) yield
    const slot = slots[index]!
    if (copied === null) {
      digests[index] = view.documentDigestOf(slot)
      continue
    }
    const end = at + view.documentLengthOf(slot)
    digests[index] = view.digestOfRead(slot, copied.body, at, end)
    at = end + between
  }
  return new Uint8Array(digests.buffer)
}

function envelope(view: ArchiveView, nextCursor: string | null): string {
  return `"has_more":${nextCursor !== null},"next_cursor":${JSON.stringify(nextCursor)},"meta":${metaJson(view)}`
}

function validUntil(
  view: ArchiveView,
  { filter, order }: Listing,
  slots: readonly number[],
  next: number | null,
): number {
  const oldest = order === 'oldest' ? slots[0] : (next ?? slots.at(-1))
  if (filter.since === null || oldest === undefined) return Number.POSITIVE_INFINITY
  return view.positionOf(oldest).publishedAt + durationMs(filter.since)
}
