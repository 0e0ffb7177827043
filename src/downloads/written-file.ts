import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { CHUNK_BYTES, type Chunks } from './chunks.ts'
import { KeptFiles, type Version } from './kept-files.ts'

/** A tenth larger than at level 3, in two thirds of the time. */
const LEVEL = 1
/**
 * zlib goes to a thread and back whenever this is full: a chunk of ours and the end of its last
 * incident fit.
 */
const BUFFER = { chunkSize: CHUNK_BYTES + (8 << 10) }
const COMPRESSION = { ...BUFFER, params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }

/**
 * Keeps files that were read to their end: to write a month as CSV costs the main thread many times
 * what it costs to decompress it in the thread pool.
 */
export class WrittenFiles {
  readonly #kept = new KeptFiles()

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
