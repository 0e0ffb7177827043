import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, zstdCompress, zstdDecompress } from 'node:zlib'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { CHUNK_BYTES, type Chunks } from './chunks.ts'

/** About thirty months of eight thousand incidents each. */
const MAX_KEPT_BYTES = 32 << 20
const MAX_FILE_BYTES = 4 << 20
/** Clients read as slowly as they like: only for a few is everything gathered meanwhile. */
const MAX_GATHERED = 4

/**
 * Two files of a name with the same version have the same content: a hash, or a number that is
 * counted up.
 */
type Version = string | number

interface KeptFile {
  readonly version: Version
  readonly parts: readonly Uint8Array[]
}

/** Files in parts, compressed. Those kept first are given up first. */
export class MonthFileCache {
  readonly #kept = new BoundedCache<string, KeptFile>(MAX_KEPT_BYTES, sizeOf)
  readonly #gathered = new Set<string>()

  /** The bytes that are kept. */
  get size(): number {
    return this.#kept.size
  }

  /** Null if the file is not kept or is of another version. */
  partsOf(name: string, version: Version): readonly Uint8Array[] | null {
    const kept = this.#kept.get(name)
    return kept?.version === version ? kept.parts : null
  }

  /** Null if others are being gathered already. */
  gather(name: string, version: Version): GatheredFile | null {
    if (this.#gathered.size >= MAX_GATHERED || this.#gathered.has(name)) return null
    this.#gathered.add(name)
    return new GatheredFile(
      (parts) => this.#kept.set(name, { version, parts }),
      () => this.#gathered.delete(name),
    )
  }
}

/**
 * A file whose parts come one after the other. It is kept only if `keep` is called after the last
 * one.
 */
class GatheredFile implements Disposable {
  readonly #parts: Uint8Array[] = []
  readonly #onKeep: (parts: readonly Uint8Array[]) => void
  readonly #onEnd: () => void
  #bytes = 0

  constructor(onKeep: (parts: readonly Uint8Array[]) => void, onEnd: () => void) {
    this.#onKeep = onKeep
    this.#onEnd = onEnd
  }

  add(part: Uint8Array): void {
    this.#bytes += part.length
    // A copy: what zlib returns lies in memory that is several times as large.
    if (this.#bytes <= MAX_FILE_BYTES) this.#parts.push(new Uint8Array(part))
  }

  /** Does nothing if the file is too large. */
  keep(): void {
    if (this.#bytes <= MAX_FILE_BYTES) this.#onKeep(this.#parts)
  }

  [Symbol.dispose](): void {
    this.#onEnd()
  }
}

function sizeOf({ parts }: KeptFile): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

/** A tenth larger than at level 3, in two thirds of the time. */
const ZSTD_LEVEL = 1
/**
 * zlib goes to a thread and back whenever this is full: a chunk of ours and the end of its last
 * incident fit.
 */
const BUFFER = { chunkSize: CHUNK_BYTES + (8 << 10) }
const COMPRESSION = { ...BUFFER, params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } }

/**
 * Keeps files that were read to their end: to write a month as CSV costs the main thread many times
 * what it costs to decompress it in the thread pool.
 */
export class WrittenFiles {
  readonly #kept = new MonthFileCache()

  /** The bytes that are kept. */
  get size(): number {
    return this.#kept.size
  }

  async *read(name: string, version: Version, write: () => Chunks): AsyncGenerator<Uint8Array> {
    const parts = this.#kept.partsOf(name, version)
    yield* parts === null ? this.#writeAndKeep(name, version, write()) : decompressed(parts)
  }

  /**
   * While a chunk is being compressed, the next one is written. That takes the main thread four
   * times as long, so it need not wait for a turn behind the pages of others.
   */
  async *#writeAndKeep(name: string, version: Version, written: Chunks): AsyncGenerator<Uint8Array> {
    using gathered = this.#kept.gather(name, version)
    if (gathered === null) {
      yield* written
      return
    }
    let pending: Promise<Uint8Array> | null = null
    for await (const chunk of written) {
      const compressing = compress(chunk)
      // Awaited below, unless the client has left by then.
      compressing.catch(() => {})
      yield chunk
      if (pending !== null) gathered.add(await pending)
      pending = compressing
    }
    if (pending !== null) gathered.add(await pending)
    gathered.keep()
  }
}

/** While a chunk is being sent, the next one is decompressed. */
async function* decompressed(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  let pending: Promise<Uint8Array> | null = null
  for (const part of parts) {
    const decompressing = decompress(part)
    decompressing.catch(() => {})
    if (pending !== null) yield await pending
    pending = decompressing
  }
  if (pending !== null) yield await pending
}

function compress(chunk: Uint8Array): Promise<Uint8Array> {
  return promisify(zstdCompress)(chunk, COMPRESSION)
}

function decompress(part: Uint8Array): Promise<Uint8Array> {
  return promisify(zstdDecompress)(part, BUFFER)
}

/** Compressed apart: large enough to lose less than a hundredth of the compression. */
const PIECE_BYTES = 128 << 10
const DEFLATE_LEVEL = 6

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
  readonly #kept = new MonthFileCache()
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
  return promisify(deflateRaw)(piece, {
    level: DEFLATE_LEVEL,
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: PIECE_BYTES,
  })
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
