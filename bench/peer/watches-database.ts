/** Watches in PostgreSQL, found through a table of keys: the quickest of the ways to match by SQL that are known. */
import { readFileSync } from 'node:fs'
import pg from 'pg'
import type { Facts } from '../../src/domain/facts.ts'
import type { StandingFilter } from '../../src/domain/filter/filter.ts'
import { positionsOf } from '../../src/domain/filter/region.ts'
import { bucketsOf, waitingPlaces } from '../../src/watches/buckets.ts'

const TABLES = sqlFile('watches.sql')
const MATCH = sqlFile('match.sql')
const INSERT_WATCHES = `
  INSERT INTO watches
  SELECT id, types::text[], severities::text[], min_confidence, max_confidence, box::box, circle_lat, circle_lng, radius_km, outline::polygon
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::text[], $7::float8[], $8::float8[], $9::float8[], $10::text[])
    AS watch (id, types, severities, min_confidence, max_confidence, box, circle_lat, circle_lng, radius_km, outline)`
const INSERT_KEYS = 'INSERT INTO watch_keys SELECT * FROM unnest($1::text[], $2::integer[])'

export interface WatchesDatabase extends AsyncDisposable {
  /** The ids of the watches that match. */
  matchesFor(facts: Facts): Promise<number[]>
}

/** `filters` are the watches', their places in the list their ids. */
export async function openWatchesDatabase(url: string, filters: readonly StandingFilter[]): Promise<WatchesDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(TABLES)
  await client.query(INSERT_WATCHES, columnsOf(filters.map((filter, id) => [id, ...rowOf(filter)])))
  const keys = filters.flatMap((filter, id) => waitingPlaces(filter).buckets.map((name) => [String(name), id]))
  await client.query(INSERT_KEYS, columnsOf(keys))
  await client.query('VACUUM ANALYZE')
  return {
    async matchesFor(facts) {
      const { type, severity, confidence, lat, lng } = facts
      const values = [bucketsOf(facts).map(String), type, severity, confidence, lat, lng]
      const { rows } = await client.query({ name: 'match', text: MATCH, values, rowMode: 'array' })
      return rows.map(([id]) => id as number)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

function rowOf({ types, severities, minConfidence, maxConfidence, box, circle, region }: StandingFilter): unknown[] {
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

function outlineOf({ polygons }: NonNullable<StandingFilter['region']>): string {
  const [[ring, ...holes], ...others] = polygons as [[Float64Array, ...Float64Array[]], ...unknown[]]
  if (holes.length + others.length > 0) throw new Error('a polygon of PostgreSQL has one ring')
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
