import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib'
import { BROTLI_QUALITY, type Encoding, GZIP_LEVEL } from '../requests/encoding.ts'

/**
 * Bytes that contain a time of fixed width, which can be replaced without rendering or compressing
 * the rest again.
 */
export interface StampedBytes {
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
export function withStamp(stamped: StampedBytes, stamp: string): StampedBytes {
  const copy = { ...stamped, bytes: Buffer.from(stamped.bytes) }
  writeStamp(copy, stamp)
  return copy
}

/** Replaces the time in place, in bytes that nobody has yet. */
export function writeStamp({ bytes, stampAt, checksum }: StampedBytes, stamp: string): void {
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
export async function compressStamped(
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
