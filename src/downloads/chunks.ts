import type { PinnedDocuments } from '../archive/documents/pinned-documents.ts'
import type { Incident } from '../domain/incident.ts'
import type { Layout } from '../formats/layouts.ts'

/** Large enough to make the cost per chunk negligible, small enough not to delay other requests. */
export const CHUNK_BYTES = 64 << 10

export type Chunks = AsyncIterable<Uint8Array>

const decoder = new TextDecoder()

/** Writes a file of these incidents chunk by chunk; only one chunk is in memory at a time. */
export function chunksOf(incidents: PinnedDocuments, layout: Layout): Generator<Uint8Array> {
  return layout.write === null ? joinedChunks(incidents, layout) : formattedChunks(incidents, layout)
}

/** Copies the incidents' stored bytes, without parsing them. */
function* joinedChunks(incidents: PinnedDocuments, { head, separator, ending, tail }: Layout): Generator<Uint8Array> {
  let parts: Uint8Array[] = [head]
  let length = head.length
  for (let index = 0; index < incidents.size; index++) {
    const bytes = incidents.at(index)
    if (index > 0) parts.push(separator)
    parts.push(bytes, ending)
    length += bytes.length
    if (length < CHUNK_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  yield Buffer.concat([...parts, Buffer.from(tail(''))])
}

/** The bytes are gathered as characters (latin1): encoding them costs nothing but a copy. */
function* formattedChunks(
  incidents: PinnedDocuments,
  { head, separator, ending, tail, write, writeFromJson }: Layout,
): Generator<Uint8Array> {
  const [between, after] = [latin1Of(separator), latin1Of(ending)]
  let text = latin1Of(head)
  for (let index = 0; index < incidents.size; index++) {
    if (index > 0) text += between
    const bytes = incidents.at(index)
    text += writeFromJson?.(latin1Of(bytes)) ?? latin1Of(Buffer.from(write!(parse(bytes))))
    text += after
    if (text.length < CHUNK_BYTES) continue
    yield Buffer.from(text, 'latin1')
    text = ''
  }
  yield Buffer.from(text + latin1Of(Buffer.from(tail(''))), 'latin1')
}

function parse(bytes: Uint8Array): Incident {
  return JSON.parse(decoder.decode(bytes)) as Incident
}

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}

/** Yields the bytes from `start` up to but excluding `end`. */
export async function* sliceChunks(chunks: Chunks, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at >= end) return
  }
}
