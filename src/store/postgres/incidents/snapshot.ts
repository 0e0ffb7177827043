import pg from 'pg'
import { Chunks, FIRST_ROWS, rowsAfter } from '../../shared/chunks.ts'
import type { DocumentChunk, Snapshot } from '../../store.ts'
import type { Connection, Copy } from '../connection/connection.ts'
import { headOf } from './events.ts'

/** A transaction of its own sees one moment, however long it takes to read: writes go on beside it. */
export function snapshot(connection: Connection): Promise<Snapshot> {
  return connection.lend(async ({ query, copy, giveBack }) => {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    // Whoever forgets a snapshot would keep the server from tidying up for ever.
    await query(`SET LOCAL idle_in_transaction_session_timeout = '5min'`)
    const head = await headOf(query)
    const retracted = await query<{ id: string }>(`SELECT id FROM incidents WHERE status = 'retracted' ORDER BY id`)
    const chunks = new Chunks(reader(copy), async () => giveBack())
    return { head, retracted: retracted.map(({ id }) => id), chunks }
  })
}

/** Chunk after chunk, each from where the last one ended: COPY has no cursor. */
function reader(copy: Copy): () => Promise<DocumentChunk | null> {
  let after = { publishedAt: String(Number.MIN_SAFE_INTEGER), id: '' }
  let limit = FIRST_ROWS
  return async () => {
    const chunk = new GrowingChunk()
    await copy(publishedAfter(after, limit), ([publishedAt, id, document]) => {
      after = { publishedAt: publishedAt!.readBigInt64BE().toString(), id: id!.toString() }
      chunk.add(document!)
    })
    if (chunk.ends.length === 0) return null
    const taken = chunk.taken()
    limit = rowsAfter(taken)
    return taken
  }
}

/** COPY takes no parameters. */
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

  add(document: Uint8Array): void {
    const end = this.#length + document.length
    if (end > this.#bytes.length) this.#resize(end * 1.5)
    this.#bytes.set(document, this.#length)
    this.ends.push(end)
    this.#length = end
  }

  taken(): DocumentChunk {
    this.#resize(this.#length)
    return { bytes: this.#bytes, ends: Uint32Array.from(this.ends) }
  }

  #resize(length: number): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(Math.ceil(length)))
  }
}
