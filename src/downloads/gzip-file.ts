import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { Chunks } from './chunks.ts'
import { KeptFiles } from './kept-files.ts'

/** Compressed apart: large enough to lose less than a hundredth of the compression. */
const PIECE_BYTES = 128 << 10
const LEVEL = 6

/** ID1, ID2, deflate, no flags, no time, no extra flags, unknown system (RFC 1952). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty last block of deflate. */
const LAST_BLOCK = [0x03, 0x00]

/** Runs a compression when it is its turn. */
type InTurn = <Result>(compression: () => Promise<Result>) => Promise<Result>

/**
 * Compresses files with gzip in the thread pool, and keeps those that were read to their end:
 * months change rarely, and compressing one costs many times as much as sending it.
 */
export class GzipFiles {
  readonly #kept = new KeptFiles()
  readonly #inTurn: InTurn

  constructor(inTurn: InTurn) {
    this.#inTurn = inTurn
  }

  /** The bytes that are kept. */
  get size(): number {
    return this.#kept.size
  }

  /** `sha256` is that of the content, which `read` returns. */
  async *read(name: string, sha256: string, read: () => Chunks): AsyncGenerator<Uint8Array> {
    const parts = this.#kept.partsOf(name, sha256)
    if (parts === null) yield* this.#compressAndKeep(name, sha256, read())
    else yield* parts
  }

  async *#compressAndKeep(name: string, sha256: string, chunks: Chunks): AsyncGenerator<Uint8Array> {
    using gathered = this.#kept.gather(name, sha256)
    for await (const part of gzipChunks(chunks, this.#inTurn)) {
      gathered?.add(part)
      yield part
    }
    gathered?.keep()
  }
}

/**
 * One member, although its pieces are compressed apart: browsers take the first member for the
 * whole. While a piece is being compressed, the next one is read.
 */
export async function* gzipChunks(chunks: Chunks, inTurn: InTurn): AsyncGenerator<Uint8Array> {
  yield HEADER
  let checksum = 0
  let length = 0
  let pending: Promise<Uint8Array> | null = null
  for await (const piece of inPieces(chunks)) {
    checksum = crc32(piece, checksum)
    length += piece.length
    const compressing = inTurn(() => deflatePiece(piece))
    // Awaited below, unless the client has left by then.
    compressing.catch(() => {})
    if (pending !== null) yield await pending
    pending = compressing
  }
  if (pending !== null) yield await pending
  const end = Buffer.alloc(LAST_BLOCK.length + 8)
  end.set(LAST_BLOCK)
  end.writeUInt32LE(checksum, LAST_BLOCK.length)
  end.writeUInt32LE(length % 2 ** 32, LAST_BLOCK.length + 4)
  yield end
}

/** A sync flush ends at a byte boundary, without a last block, so that another piece can follow. */
function deflatePiece(piece: Uint8Array): Promise<Uint8Array> {
  // A smaller chunk would have zlib go to a thread and back several times.
  return promisify(deflateRaw)(piece, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: PIECE_BYTES })
}

async function* inPieces(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    length += chunk.length
    if (length < PIECE_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts)
}
