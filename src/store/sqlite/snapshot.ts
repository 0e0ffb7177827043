import { MEMORY } from '../files.ts'
import { endOffsetsOf, FIRST_CHUNK_ROWS, nextChunkRows, snapshotHead } from '../queries/snapshot.ts'
import { type DocumentChunk, StoreUnavailable } from '../store.ts'
import { type Database, openForReading } from './database.ts'

interface ChunkReader extends Disposable {
  next(): DocumentChunk | null
}

/** Opens a connection with a read transaction per snapshot, so that writes can continue. */
export function snapshots(database: Database, path: string, busyTimeout: number) {
  const readers = new Map<number, ChunkReader>()
  let lastId = 0
  return {
    open() {
      const { state, reader } = path === MEMORY ? readAtOnce(database) : readLazily(openForReading(path, busyTimeout))
      readers.set(++lastId, reader)
      return { ...state, id: lastId }
    },

    next(id: number): DocumentChunk | null {
      const reader = readers.get(id)
      if (reader === undefined) throw new StoreUnavailable('The snapshot was lost when the database was reopened')
      return reader.next()
    },

    close(id: number): void {
      readers.get(id)?.[Symbol.dispose]()
      readers.delete(id)
    },

    closeAll(): void {
      for (const id of readers.keys()) this.close(id)
    },
  }
}

function readLazily(connection: Database) {
  try {
    connection.script('BEGIN')
    return { state: connection.perform(snapshotHead()), reader: readerOf(connection) }
  } catch (error) {
    connection[Symbol.dispose]()
    throw error
  }
}

/** A database in memory has one connection: rows not read now could change before the next call. */
function readAtOnce(database: Database) {
  const source = readerOf(database)
  const chunks: DocumentChunk[] = []
  for (let chunk = source.next(); chunk !== null; chunk = source.next()) chunks.push(chunk)
  const reader: ChunkReader = {
    next: () => chunks.shift() ?? null,
    [Symbol.dispose]: () => chunks.splice(0),
  }
  return { state: database.perform(snapshotHead()), reader }
}

function readerOf(database: Database): ChunkReader {
  let after = { publishedAt: Number.MIN_SAFE_INTEGER, id: '' }
  let limit = FIRST_CHUNK_ROWS
  return {
    next() {
      const chunk = chunkAfter(database, after, limit)
      if (chunk === null) return null
      after = positionOf(database, chunk)
      limit = nextChunkRows(chunk)
      return chunk
    },
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}

/** Joins the documents in SQL: a million rows passed to JavaScript take twice as long. */
function chunkAfter(database: Database, after: PublishedPosition, limit: number): DocumentChunk | null {
  const { bytes, lengths } = database.get<{ bytes: Uint8Array<ArrayBuffer> | null; lengths: Uint8Array }>(
    `SELECT CAST(group_concat(document, '') AS BLOB) AS bytes,
       CAST(group_concat(octet_length(document)) AS BLOB) AS lengths
     FROM (
       SELECT document FROM incidents
       WHERE status = 'confirmed' AND published_at IS NOT NULL AND (published_at, id) > (?, ?)
       ORDER BY published_at, id
       LIMIT +?
     )`,
    [after.publishedAt, after.id, limit],
  )!
  return bytes === null ? null : { bytes, ends: endOffsetsOf(lengths) }
}

interface PublishedPosition {
  readonly publishedAt: number
  readonly id: string
}

/** The position of a chunk's last document. */
function positionOf(database: Database, { bytes, ends }: DocumentChunk): PublishedPosition {
  const last = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', ends.at(-2) ?? 0)
  const { id } = JSON.parse(last) as { id: string }
  return database.get<PublishedPosition>('SELECT published_at AS publishedAt, id FROM incidents WHERE id = ?', [id])!
}
