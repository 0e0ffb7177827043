import pg from 'pg'
import { places } from '../../../src/geo/places.ts'

/**
 * Adds watches with filters that no incident satisfies in one statement: one by one, a hundred
 * thousand take minutes. The service encrypts their secrets when it starts.
 */
export async function addManyWatches(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `WITH holder AS (
         INSERT INTO accounts (id, name, created_at) VALUES ('acc_rolling_holder', 'Holder', 0) RETURNING id
       ), head AS (
         UPDATE watch_head SET revision = revision + $1::integer RETURNING revision - $1::integer AS revision
       ), added AS (
         INSERT INTO watches (id, account_id, name, url, host, events, status, secrets, created_at, updated_at,
                              created_seq, revision, canonical_filter, filter)
         SELECT 'wat_rolling_' || n, holder.id, 'Watch ' || n, 'http://127.0.0.1:9/' || n, '127.0.0.1:9',
                '["incident.created"]', 'active',
                '[{"secret":"whsec_' || encode(sha256(n::text::bytea), 'base64') || '","expiresAt":null}]', 0, 0,
                (SELECT seq FROM log_head), head.revision + n, text.filter, text.filter
         FROM holder, head, generate_series(1, $1::integer) AS n,
              LATERAL (SELECT '{"lga":["' || ($2::text[])[1 + n % cardinality($2::text[])] || '"],"type":["piracy"],"min_confidence":0.98' ||
                              lpad((1 + n % 99)::text, 2, '0') || '}' AS filter) AS text
         RETURNING id
       )
       INSERT INTO watch_progress (watch_id, sequence) SELECT id, 0 FROM added`,
      [count, places.lgas.map(({ code }) => code)],
    )
  } finally {
    await client.end()
  }
}
