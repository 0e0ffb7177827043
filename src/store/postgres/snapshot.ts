import { Chunks, FIRST_ROWS, rowsAfter } from '../chunks.ts'
import type { DocumentChunk, Snapshot } from '../store.ts'
import type { Connection, Query } from './connection.ts'
import { headOf } from './events.ts'

/** A transaction of its own sees one moment, and a cursor in it is read as it is taken: writes go on beside it. */
export async function snapshot(connection: Connection): Promise<Snapshot> {
  const { query, giveBack } = await connection.lend()
  try {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    // Whoever forgets a snapshot would keep the server from tidying up for ever.
    await query(`SET LOCAL idle_in_transaction_session_timeout = '5min'`)
    const head = await headOf(query)
    const retracted = await query<{ id: string }>(`SELECT id FROM incidents WHERE status = 'retracted' ORDER BY id`)
    await query(
      `DECLARE published NO SCROLL CURSOR FOR
       SELECT document FROM incidents
       WHERE status = 'confirmed' AND published_at IS NOT NULL
       ORDER BY published_at, id`,
    )
    const chunks = new Chunks(reader(query), async () => giveBack())
    return { head, retracted: retracted.map(({ id }) => id), chunks }
  } catch (error) {
    giveBack()
    throw error
  }
}

function reader(query: Query): () => Promise<DocumentChunk | null> {
  let limit = FIRST_ROWS
  return async () => {
    const rows = await query<{ document: string }>(`FETCH ${limit} FROM published`)
    if (rows.length === 0) return null
    const chunk = chunkOf(rows.map((row) => row.document))
    limit = rowsAfter(chunk)
    return chunk
  }
}

function chunkOf(documents: readonly string[]): DocumentChunk {
  const bytes = new TextEncoder().encode(documents.join(''))
  const ends = new Uint32Array(documents.length)
  let end = 0
  documents.forEach((document, index) => {
    end += Buffer.byteLength(document)
    ends[index] = end
  })
  return { bytes, ends }
}
