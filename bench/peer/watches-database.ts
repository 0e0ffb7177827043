/**
 * Watches in PostgreSQL, found through a table of keys: the fastest known way to match with SQL.
 */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { IndexedFields, LiveFilter } from '../../src/filter/filter.ts'
import { positionsOf } from '../../src/filter/shapes.ts'
import { bucketsForFields, bucketsForFilter } from '../../src/matching/matcher.ts'

const TABLES = sqlFile('watches.sql')
const MATCH = sqlFile('match.sql')
const INSERT = `
  INSERT INTO watch_keys
  SELECT key, watch_id, types::text[], severities::text[], min_confidence, max_confidence, box::box, circle_lat, circle_lng, radius_km, outline::polygon
  FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::text[], $8::float8[], $9::float8[], $10::float8[], $11::text[])
    AS watch (key, watch_id, types, severities, min_confidence, max_confidence, box, circle_lat, circle_lng, radius_km, outline)`
const ROWS_AT_ONCE = 20_000

export interface WatchesDatabase extends AsyncDisposable {
  /** The ids of the watches that match. */
  matchesFor(facts: IndexedFields): Promise<number[]>
}

/** The index of a filter is the id of its watch. */
export async function openWatchesDatabase(url: string, filters: readonly LiveFilter[]): Promise<WatchesDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(TABLES)
  const rows = filters.flatMap((filter, id) => {
    const conditions = rowOf(filter)
    return bucketsForFilter(filter).buckets.map((name) => [String(name), id, ...conditions])
  })
  // Sorted by key, so that rows of one key are stored together.
  rows.sort(([one], [other]) => (one! < other! ? -1 : 1))
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await client.query(INSERT, columnsOf(rows.slice(from, from + ROWS_AT_ONCE)))
  await client.query('VACUUM ANALYZE')
  return {
    async matchesFor(facts) {
      const { type, severity, confidence, lat, lng } = facts
      const values = [bucketsForFields(facts, []).map(String), type, severity, confidence, lat, lng]
      const { rows } = await client.query({ name: 'match', text: MATCH, values, rowMode: 'array' })
      return rows.map(([id]) => id as number)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Returns the filter's conditions as columns of the table. */
function rowOf({ types, severities, minConfidence, maxConfidence, box, circle, region }: LiveFilter): unknown[] {
  return [
    types && `{${types.join(',')}}`,
    severities && `{${severities.join(',')}}`,
    minConfidence,
    maxConfidence,
    box && `(${box.east},${box.north}),(${box.west},${box.south})`,
    circle?.lat ?? null,
    circle?.lng ?? null,
    circle?.radiusKm ?? null,
    region && outlineOf(region),
  ]
}

function outlineOf({ polygons }: NonNullable<LiveFilter['region']>): string {
  const [[ring, ...holes], ...others] = polygons as [[Float64Array, ...Float64Array[]], ...unknown[]]
  if (holes.length + others.length > 0) throw new Error('a PostgreSQL polygon has only one ring')
  return `(${positionsOf(ring)
    .map(([lng, lat]) => `(${1e4 * lng},${1e4 * lat})`)
    .join(',')})`
}

function columnsOf(rows: readonly unknown[][]): unknown[][] {
  return rows[0]!.map((_, column) => rows.map((row) => row[column]))
}

function sqlFile(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
