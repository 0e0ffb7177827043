import pg from 'pg'
import { FIRST_CHUNK_ROWS, nextChunkRows, PrefetchedChunks, snapshotHead } from '../queries/snapshot.ts'
import type { DocumentChunk, Snapshot } from '../store.ts'
import { type Copy, type PostgresConnection, performWithin } from './connection.ts'
import { beginWith, LONG_LIMITS, type Servers } from './servers.ts'

/** Reads a chunk within a minute; the reader indexes it before it asks for the next. */
const LIMITS = { ...LONG_LIMITS, statement: 60_000, idleInTransaction: 300_000 }

/** Reads in a transaction that sees one moment, so that writes can continue. */
export function snapshot(
  connection: PostgresConnection,
  servers: Servers,
  onFailure: (error: unknown) => void = () => {},
): Promise<Snapshot> {
  return connection.borrow(async ({ query, copy, release }) => {
    // A snapshot that is never closed would stop the server from reclaiming space.
    await query(beginWith(LIMITS, servers, 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'))
    const head = await performWithin(query, snapshotHead())
    const read = chunkReader(copy)
    const readOrTell = () =>
      read().catch((error: unknown) => {
        onFailure(error)
        throw error
      })
    return { ...head, chunks: new PrefetchedChunks(readOrTell, async () => release()) }
  }, LIMITS)
}

/** Reads each chunk from where the last one ended, because COPY has no cursor. */
function chunkReader(copy: Copy): () => Promise<DocumentChunk | null> {
  let after = { publishedAt: String(Number.MIN_SAFE_INTEGER), id: '' }
  let limit = FIRST_CHUNK_ROWS
  return async () => {
    const chunk = new GrowingChunk()
    await copy(publishedAfter(after, limit), ([publishedAt, id, document]) => {
      after = { publishedAt: publishedAt!.readBigInt64BE().toString(), id: id!.toString() }
      chunk.addDocument(document!)
    })
    if (chunk.ends.length === 0) return null
    const finished = chunk.finish()
    limit = nextChunkRows(finished)
    return finished
  }
}

/** Builds the statement with its values, because COPY takes no parameters. */
function publishedAfter(after: { publishedAt: string; id: string }, limit: number): string {
  return `
    SELECT published_at, id, document FROM incidents
    WHERE status = 'confirmed' AND published_at IS NOT NULL
      AND (published_at, id) > (${after.publishedAt}, ${pg.escapeLiteral(after.id)})
    ORDER BY published_at, id
    LIMIT ${limit}`
}

class GrowingChunk {
  readonly ends: number[] = []
  #bytes = new Uint8Array(1 << 20)
  #length = 0

  addDocument(document: Uint8Array): void {
    const end = this.#length + document.length
    if (end > this.#bytes.length) this.#resize(end * 1.5)
    this.#bytes.set(document, this.#length)
    this.ends.push(end)
    this.#length = end
  }

  finish(): DocumentChunk {
    this.#resize(this.#length)
    return { bytes: this.#bytes, ends: Uint32Array.from(this.ends) }
  }

  #resize(length: number): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.ceil(length)))
  }
}
