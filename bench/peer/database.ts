/**
 * The peer's PostgreSQL: the same incidents in a table with the indexes that its queries need.
 * Filled once in published order, which is the best physical order for lists; kept in bench/data/.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Incident } from '../../src/domain/incident.ts'
import { SEVERITIES } from '../../src/domain/taxonomy.ts'
import { indexedFieldsOf } from '../../src/filter/filter.ts'
import { openStore } from '../../src/store/open.ts'
import { type Server, startServer } from '../../test/support/databases/postgres-server.ts'
import { dataFile, dataFolder } from '../harness/data.ts'

/** For a table that fits into memory, fast disks and short statements. */
export const SETTINGS = [
  'shared_buffers=2GB',
  'effective_cache_size=6GB',
  'work_mem=16MB',
  'random_page_cost=1.1',
  'jit=off',
  'max_parallel_workers_per_gather=0',
]
const FILLING = [...SETTINGS, 'max_wal_size=8GB', 'maintenance_work_mem=512MB', 'synchronous_commit=off']

const TABLE = sqlFile('incidents.sql')
const INDEXES = sqlFile('indexes.sql')
const INSERT = `
  INSERT INTO incidents
  SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::smallint[], $6::float8[], $7::float8[], $8::float8[], $9::text[])`
const COLUMNS = 9
const ROWS_AT_ONCE = 5000

export async function openPeerDatabase(count: number): Promise<Server> {
  const { path } = await dataFolder(count, 'postgres', TABLE + INDEXES, fill)
  return startServer({ directory: path, settings: SETTINGS })
}

async function fill(directory: string, count: number): Promise<void> {
  console.error('filling the peer’s PostgreSQL …')
  await using server = await startServer({ directory, settings: FILLING })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(TABLE)
    let rows: unknown[][] = []
    const flush = async () => {
      const columns = Array.from({ length: COLUMNS }, (_, column) => rows.map((row) => row[column]))
      await client.query(INSERT, columns)
      rows = []
    }
    for await (const document of documents(count)) {
      if (rows.push(rowOf(document)) === ROWS_AT_ONCE) await flush()
    }
    await flush()
    await client.query(INDEXES)
    await client.query('VACUUM ANALYZE incidents')
  } finally {
    await client.end()
  }
}

/** Yields the documents exactly as our service sends them. */
async function* documents(count: number): AsyncGenerator<string> {
  const { path } = await dataFile(count)
  await using store = await openStore(`sqlite:${path}`)
  for await (const { bytes, ends } of (await store.incidents.snapshot()).chunks) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const [at, end] of ends.entries()) yield text.toString('utf8', ends[at - 1] ?? 0, end)
  }
}

function rowOf(document: string): unknown[] {
  const incident = JSON.parse(document) as Incident
  const { state, type, severity, confidence, lat, lng } = indexedFieldsOf(incident)
  const { id, published_at } = incident
  return [id, published_at, state, type, SEVERITIES.indexOf(severity), confidence, lat, lng, document]
}

function sqlFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
