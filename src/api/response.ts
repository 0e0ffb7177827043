import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ArchiveView } from '../archive/archive.ts'
import type { Freshness } from '../event-log/follower.ts'
import { positionText } from '../event-log/positions.ts'
import type { PooledBuffer } from '../lib/buffer-pool.ts'
import { Semaphore } from '../lib/concurrency.ts'
import { memoize } from '../lib/memoize.ts'
import { ANSWER, type Caching, writeCaching } from './caching.ts'
import { type Encoding, encodingFor } from './request.ts'
import type { CountedResponse } from './server.ts'

/**
 * Sends 304 if the client has the body, otherwise the body in its preferred encoding. The answer to
 * a POST has no `ETag`: caches keep none of them, and RFC 9110 gives `If-None-Match` another
 * meaning.
 */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedBody,
  contentType: string,
  caching: Caching = ANSWER,
): FastifyReply | Promise<FastifyReply> {
  const isPost = request.method === 'POST'
  if (!isPost) reply.header('etag', cached.etag)
  writeCaching(request, reply, caching)
  if (isPost) reply.header('cache-control', 'no-store')
  if (!isPost && reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], cached.etag)) {
    // A cache keeps the headers that a 304 does not replace: an earlier one may have been stale.
    if (!reply.hasHeader('stale-seconds')) reply.header('stale-seconds', 0)
    return reply.status(304).send()
  }
  const encoding = encodingFor(request.headers['accept-encoding'], cached.body.length)
  reply.header('content-type', contentType)
  if (encoding === 'identity') {
    if (cached.isPooled) holdWhileSent(reply, cached)
    return reply.send(cached.body)
  }
  const bytes = cached.encodedAs(encoding)
  reply.header('content-encoding', encoding)
  return bytes instanceof Promise ? bytes.then((compressed) => reply.send(compressed)) : reply.send(bytes)
}

/** The response releases it when its last byte was handed over, or when the connection is lost. */
function holdWhileSent(reply: FastifyReply, cached: CachedBody): void {
  cached.hold()
  ;(reply.raw as CountedResponse).body = cached
}

/** Weak comparison (RFC 9110): the encoding does not matter. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}

type Compressed = Exclude<Encoding, 'identity'>

/**
 * A body with its ETag. Each compressed form is made once, when first needed. The body may contain
 * a time that changes while it is cached (`stampAt`, its position): the ETag does not depend on it,
 * and the first one is written into the given bytes.
 */
export class CachedBody {
  readonly etag: string
  #plain: StampedBytes | Buffer
  #stamp: string | null = null
  readonly #pooled: PooledBuffer | null
  readonly #compressed = new Map<Compressed, StampedBytes | Uint8Array | Promise<Uint8Array>>()

  /** `body` may be from a pool: then this holds it until `release`. */
  constructor(body: Buffer | PooledBuffer, etag?: string, stampAt: number | null = null) {
    this.#pooled = 'hold' in body ? body : null
    const bytes = 'hold' in body ? body.bytes : body
    this.#plain = stampAt === null ? bytes : { bytes, stampAt, checksum: null }
    this.etag = etag ?? etagOf(bytes)
  }

  get body(): Buffer {
    return bytesOf(this.#plain) as Buffer
  }

  /** Keeps the body from being reused until `release`; for whoever sends it. */
  hold(): void {
    this.#pooled?.hold()
  }

  release(): void {
    this.#pooled?.release()
  }

  /** Whether the body must be held while it is sent. */
  get isPooled(): boolean {
    return this.#pooled !== null
  }

  /**
   * Memory in bytes, with those of the compressed forms that may yet be made: text shrinks to less
   * than half, and there are two.
   */
  get size(): number {
    return (this.#pooled?.size ?? this.body.length) + this.body.length + this.etag.length
  }

  /**
   * Writes the time into every form; call it before sending. Without a position it does nothing.
   */
  stamp(stamp: string): void {
    if (stamp === this.#stamp || !isStamped(this.#plain)) return
    // Nobody has the bytes before the first time: most lists that are asked for once need no copy.
    if (this.#stamp === null) writeStamp(this.#plain, stamp)
    else this.#plain = withStamp(this.#plain, stamp)
    this.#stamp = stamp
    for (const [encoding, form] of this.#compressed)
      if (isStamped(form)) this.#compressed.set(encoding, withStamp(form, stamp))
  }

  /** Returns bytes, no promise, if compressed before. Concurrent calls share one compression. */
  encodedAs(encoding: Encoding): Uint8Array | Promise<Uint8Array> {
    if (encoding === 'identity') return this.body
    const known = this.#compressed.get(encoding)
    if (known !== undefined) return known instanceof Promise ? known : bytesOf(known)
    const compressing = this.#compress(encoding)
    this.#compressed.set(encoding, compressing)
    compressing.catch(() => this.#compressed.delete(encoding))
    return compressing
  }

  async #compress(encoding: Compressed): Promise<Uint8Array> {
    this.hold()
    try {
      return await this.#compressHeld(encoding)
    } finally {
      this.release()
    }
  }

  async #compressHeld(encoding: Compressed): Promise<Uint8Array> {
    const plain = this.#plain
    if (!isStamped(plain)) {
      const bytes = await compress(plain, encoding)
      this.#compressed.set(encoding, bytes)
      return bytes
    }
    const compressed = await inTurn(() => compressStamped(plain.bytes, plain.stampAt, encoding))
    // The time may have changed in the meantime.
    if (this.#stamp !== null) writeStamp(compressed, this.#stamp)
    this.#compressed.set(encoding, compressed)
    return compressed.bytes
  }
}

function isStamped(form: StampedBytes | Uint8Array | Promise<Uint8Array>): form is StampedBytes {
  return 'stampAt' in form
}

function bytesOf(form: StampedBytes | Uint8Array): Uint8Array {
  return isStamped(form) ? form.bytes : form
}

/** Weak, because the bytes differ by encoding. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${hashOf(content)}"`
}

/** Identifies content; a gigabyte takes about a second. */
export function hashOf(content: string | Uint8Array): string {
  return hash('sha1', content, 'base64url')
}

/**
 * Bytes that contain a time of fixed width, which can be replaced without rendering or compressing
 * the rest again.
 */
interface StampedBytes {
  readonly bytes: Buffer
  /** The position of the time. */
  readonly stampAt: number
  /** Gzip ends with a checksum of the content; null for other encodings. */
  readonly checksum: { readonly beforeStamp: number; readonly tailLength: number } | null
}

/** ID1, ID2, deflate, no flags, no time, no extra flags, unknown system (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The last block of deflate, stored without compression: a byte, its length and its complement. */
const STORED_HEADER_BYTES = 5
const BROTLI_END = Buffer.from([0x03])

/** Replaces the time in a copy: earlier bytes may still be on their way to a client. */
function withStamp(stamped: StampedBytes, stamp: string): StampedBytes {
  const copy = { ...stamped, bytes: Buffer.from(stamped.bytes) }
  writeStamp(copy, stamp)
  return copy
}

/** Replaces the time in place, in bytes that nobody has yet. */
function writeStamp({ bytes, stampAt, checksum }: StampedBytes, stamp: string): void {
  bytes.write(stamp, stampAt, 'latin1')
  if (checksum !== null) {
    const tail = bytes.subarray(stampAt, stampAt + checksum.tailLength)
    bytes.writeUInt32LE(crc32(tail, checksum.beforeStamp), stampAt + checksum.tailLength)
  }
}

/**
 * Compresses the content before the time, and appends the time and what follows uncompressed. The
 * time must be near the end, with less than 64 KiB after it.
 */
async function compressStamped(
  content: Buffer,
  stampAt: number,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<StampedBytes> {
  const [before, tail] = [content.subarray(0, stampAt), content.subarray(stampAt)]
  if (tail.length > 0xffff) throw new RangeError(`${tail.length} bytes follow the time; at most 65535 may`)
  return encoding === 'gzip' ? gzipStamped(before, tail) : brotliStamped(before, tail)
}

async function gzipStamped(before: Buffer, tail: Buffer): Promise<StampedBytes> {
  // A sync flush ends at a byte boundary, without a last block.
  const compressed = await promisify(deflateRaw)(before, { level: GZIP_LEVEL, finishFlush: constants.Z_SYNC_FLUSH })
  const stored = Buffer.alloc(STORED_HEADER_BYTES)
  stored.writeUInt8(1)
  stored.writeUInt16LE(tail.length, 1)
  stored.writeUInt16LE(~tail.length & 0xffff, 3)
  const beforeStamp = crc32(before)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(tail, beforeStamp))
  trailer.writeUInt32LE((before.length + tail.length) % 2 ** 32, 4)
  return {
    bytes: Buffer.concat([GZIP_HEADER, compressed, stored, tail, trailer]),
    stampAt: GZIP_HEADER.length + compressed.length + STORED_HEADER_BYTES,
    checksum: { beforeStamp, tailLength: tail.length },
  }
}

async function brotliStamped(before: Buffer, tail: Buffer): Promise<StampedBytes> {
  const compressed = await promisify(brotliCompress)(before, {
    params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: before.length },
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  })
  // RFC 7932: not the last block, a length of four nibbles, uncompressed; then an empty last block.
  const stored = Buffer.alloc(3)
  stored.writeUIntLE(((tail.length - 1) << 3) | (1 << 19), 0, 3)
  return {
    bytes: Buffer.concat([compressed, stored, tail, BROTLI_END]),
    stampAt: compressed.length + stored.length,
    checksum: null,
  }
}

/**
 * Stands where a response says when the node was last in step with the log. That time changes every
 * second, the response only with an event: it is cached with this, and stamped when it is sent.
 */
export const IN_STEP_PLACEHOLDER = '0000-00-00T00:00:00.000Z'

/**
 * The event up to which a response is complete. `in_step_at` comes last, where it can be stamped.
 */
function metaOf({ head, newestPublishedAt }: ArchiveView) {
  return {
    as_of: timeResponse(head.at),
    seq: head.seq,
    position: positionText(head),
    newest_published_at: timeResponse(newestPublishedAt),
    in_step_at: IN_STEP_PLACEHOLDER,
  }
}

/** `metaOf` as JSON, worked out once for a view: all answers between two events have the same. */
export const metaJson = memoize((view: ArchiveView) => JSON.stringify(metaOf(view)))

/** The position of the placeholder in a body whose `meta` comes last; null if it has none. */
export function inStepPosition(body: Buffer): number | null {
  const tail = Math.max(0, body.length - 2 * IN_STEP_PLACEHOLDER.length)
  const position = body.subarray(tail).lastIndexOf(IN_STEP_PLACEHOLDER)
  return position === -1 ? null : tail + position
}

/**
 * A body with `meta` that is sent once. The ETag leaves `meta` out: it changes with every event.
 */
export function stampedBody(content: string, view: ArchiveView, inStepAt: string): CachedBody {
  const body = Buffer.from(`{${content},"meta":${metaJson(view)}}`)
  const cached = new CachedBody(body, etagOf(content), inStepPosition(body))
  cached.stamp(inStepAt)
  return cached
}

/** Comes within a few per cent of the quality that takes ten times as long. */
const BROTLI_QUALITY = 5
const GZIP_LEVEL = 6

const compressors = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
} as const

/** Of the four threads of the pool, one is left to files, and of all cores, one to requests. */
const compressions = new Semaphore(Math.max(1, Math.min(3, availableParallelism() - 1)))

/** Waits for a turn: strangers who ask for ever other pages must not take every core. */
export function inTurn<Result>(compression: () => Promise<Result>): Promise<Result> {
  return compressions.run(compression)
}

/** Runs in zlib's thread pool, not on the main thread. */
function compress(bytes: Uint8Array, encoding: Exclude<Encoding, 'identity'>): Promise<Uint8Array> {
  return inTurn(() => compressors[encoding](bytes))
}

/** With milliseconds, unlike the times of incidents, which nobody knows so precisely. */
export function timeResponse<Time extends number | null>(time: Time) {
  return (time === null ? null : new Date(time).toISOString()) as Time extends number ? string : null
}

/** Tells the client that the node may lack events, and since when. */
export function addStaleSeconds(reply: FastifyReply, { staleSeconds }: Freshness): void {
  if (staleSeconds !== null) reply.header('stale-seconds', staleSeconds)
}
