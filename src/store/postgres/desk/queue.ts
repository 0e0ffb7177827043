import { SEVERITIES } from '../../../domain/taxonomy.ts'
import { afterSql, DESK_ORDER_SQL, firstPosition } from '../../shared/desk-orders.ts'
import {
  type DeskChangeRow,
  type DeskCountRow,
  deskChangeOf,
  deskCountOf,
  soughtWords,
} from '../../shared/rows/desk-rows.ts'
import type { Desk, DeskHit, DeskPosition, DeskQuery } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'
import { claims } from './claims.ts'
import { addMissingEntries } from './entries.ts'
import { pairs } from './pairs.ts'

export function desk(connection: PostgresConnection): Omit<Desk, 'onChange' | 'onAppend' | 'onDue'> {
  return {
    ...claims(connection),
    ...pairs(connection),

    async find(query, after, limit, window, now) {
      const start = after ?? firstPosition(query.order)
      const hits = await matchingEntries(connection, query, start, limit, window, now)
      if (hits.length === limit) return { hits, next: hits.at(-1)! }
      return { hits, next: await lastInWindow(connection, query, start, window) }
    },

    async counts() {
      const rows = await connection.query<DeskCountRow>(
        'SELECT status, origin, severity, entries FROM desk_counts WHERE entries > 0',
      )
      return rows.map(deskCountOf)
    },

    async changedAfter(revision, limit) {
      const rows = await connection.query<DeskChangeRow>(
        `SELECT revision, id, status, version, claimed_by, claim_name, claimed_until FROM desk_entries
         WHERE revision > $1
         ORDER BY revision
         LIMIT $2`,
        [revision, limit],
      )
      return rows.map(deskChangeOf)
    },

    async head() {
      const [row] = await connection.query<{ revision: number }>('SELECT revision FROM desk_head')
      return row!.revision
    },

    addMissing: (limit) => addMissingEntries(connection, limit),
  }
}

/** Cast to the type of the column: a comparison with another type would not use the index. */
const RANK_TYPES = { newest: 'float8', oldest: 'float8', severity: 'integer', confidence: 'float8' }

function afterStart(order: DeskQuery['order']): string {
  return afterSql(order, { rank: `$2::${RANK_TYPES[order]}`, reportedAt: '$3::bigint', id: '$4::text' })
}

/** Looks at `window` entries after the start, in order, and filters them. */
function matchingEntries(
  connection: PostgresConnection,
  query: DeskQuery,
  start: DeskPosition,
  limit: number,
  window: number,
  now: number,
): Promise<DeskHit[]> {
  const { rank, sort } = DESK_ORDER_SQL[query.order]
  const { box } = query
  return connection.query<DeskHit>(
    `SELECT ${rank}::float8 AS rank, reported_at AS "reportedAt", id, lat, lng
     FROM (
       SELECT * FROM desk_entries
       WHERE status = $1 AND ${afterStart(query.order)} AND $2::${RANK_TYPES[query.order]} IS NOT NULL
       ORDER BY ${sort}
       LIMIT $5
     ) AS looked_at
     WHERE ($7::text IS NULL OR origin = $7)
       AND ($8::text IS NULL
            OR ($8 = 'none' AND (claimed_by IS NULL OR claimed_until <= $9))
            OR (claimed_by = $8 AND claimed_until > $9))
       AND ($10::text[] IS NULL OR state = ANY ($10))
       AND ($11::text[] IS NULL OR lga = ANY ($11))
       AND ($12::text[] IS NULL OR type = ANY ($12))
       AND ($13::integer[] IS NULL OR severity = ANY ($13))
       AND ($14::float8 IS NULL OR confidence >= $14)
       AND ($15::float8 IS NULL OR confidence <= $15)
       AND ($16::bigint IS NULL OR reported_at >= $16)
       AND ($17::bigint IS NULL OR reported_at < $17)
       AND ($18::bigint IS NULL OR occurred_at >= $18)
       AND ($19::bigint IS NULL OR occurred_at < $19)
       AND ($20::float8 IS NULL OR (lng BETWEEN $20 AND $22 AND lat BETWEEN $21 AND $23))
       AND NOT EXISTS (SELECT 1 FROM unnest($24::text[]) AS word WHERE position(word IN search) = 0)
     ORDER BY ${sort}
     LIMIT $6`,
    [
      query.status,
      start.rank,
      start.reportedAt,
      start.id,
      window,
      limit,
      query.origin,
      query.claimedBy,
      now,
      query.states && textArray(query.states),
      query.lgas && textArray(query.lgas),
      query.types && textArray(query.types),
      query.severities?.map((severity) => SEVERITIES.indexOf(severity)) ?? null,
      query.minConfidence,
      query.maxConfidence,
      query.reportedFrom,
      query.reportedTo,
      query.occurredFrom,
      query.occurredTo,
      box?.west ?? null,
      box?.south ?? null,
      box?.east ?? null,
      box?.north ?? null,
      textArray(soughtWords(query)),
    ],
  )
}

/** The last entry of the window; null if there are no entries after it. */
async function lastInWindow(
  connection: PostgresConnection,
  query: DeskQuery,
  start: DeskPosition,
  window: number,
): Promise<DeskPosition | null> {
  const { rank, sort } = DESK_ORDER_SQL[query.order]
  const [row] = await connection.query<DeskPosition>(
    `SELECT ${rank}::float8 AS rank, reported_at AS "reportedAt", id FROM desk_entries
     WHERE status = $1 AND ${afterStart(query.order)} AND $2::${RANK_TYPES[query.order]} IS NOT NULL
     ORDER BY ${sort}
     LIMIT 1 OFFSET $5`,
    [query.status, start.rank, start.reportedAt, start.id, window - 1],
  )
  return row ?? null
}
