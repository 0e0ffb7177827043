import { SEVERITIES } from '../../../domain/taxonomy.ts'
import { afterSql, DESK_ORDER_SQL, firstPosition, positionValues } from '../../shared/desk-orders.ts'
import {
  type DeskChangeRow,
  type DeskCountRow,
  deskChangeOf,
  deskCountOf,
  soughtWords,
} from '../../shared/rows/desk-rows.ts'
import type { DeskChange, DeskCount, DeskHit, DeskHits, DeskPosition, DeskQuery } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { claims } from './claims.ts'
import { addMissingEntries } from './entries.ts'
import { pairs } from './pairs.ts'

export function desk(database: Database) {
  return {
    ...claims(database),
    ...pairs(database),

    find(query: DeskQuery, after: DeskPosition | null, limit: number, window: number, now: number): DeskHits {
      const start = after ?? firstPosition(query.order)
      const hits = matchingEntries(database, query, start, limit, window, now)
      if (hits.length === limit) return { hits, next: hits.at(-1)! }
      return { hits, next: lastInWindow(database, query, start, window) }
    },

    counts(): DeskCount[] {
      return database
        .all<DeskCountRow>('SELECT status, origin, severity, entries FROM desk_counts WHERE entries > 0')
        .map(deskCountOf)
    },

    changedAfter(revision: number, limit: number): DeskChange[] {
      return database
        .all<DeskChangeRow>(
          `SELECT revision, id, status, version, claimed_by, claim_name, claimed_until FROM desk_entries
           WHERE revision > ?
           ORDER BY revision
           LIMIT +?`,
          [revision, limit],
        )
        .map(deskChangeOf)
    },

    head(): number {
      return database.get<{ revision: number }>('SELECT revision FROM desk_head')!.revision
    },

    addMissing: (limit: number): number => addMissingEntries(database, limit),
  }
}

const POSITION = { rank: ':rank', reportedAt: ':reportedAt', id: ':id' }

/** Looks at `window` entries after the start, in order, and filters them. */
function matchingEntries(
  database: Database,
  query: DeskQuery,
  start: DeskPosition,
  limit: number,
  window: number,
  now: number,
): DeskHit[] {
  const { rank, sort } = DESK_ORDER_SQL[query.order]
  const { box } = query
  const rows = database.all<DeskHit>(
    `SELECT ${rank} AS rank, reported_at AS reportedAt, id, lat, lng
     FROM (
       SELECT * FROM desk_entries
       WHERE status = :status AND ${afterSql(query.order, POSITION)}
       ORDER BY ${sort}
       LIMIT +:window
     )
     WHERE (:origin IS NULL OR origin = :origin)
       AND (:claimedBy IS NULL
            OR (:claimedBy = 'none' AND (claimed_by IS NULL OR claimed_until <= :now))
            OR (claimed_by = :claimedBy AND claimed_until > :now))
       AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
       AND (:lgas IS NULL OR lga IN (SELECT value FROM json_each(:lgas)))
       AND (:types IS NULL OR type IN (SELECT value FROM json_each(:types)))
       AND (:severities IS NULL OR severity IN (SELECT value FROM json_each(:severities)))
       AND (:minConfidence IS NULL OR confidence >= :minConfidence)
       AND (:maxConfidence IS NULL OR confidence <= :maxConfidence)
       AND (:reportedFrom IS NULL OR reported_at >= :reportedFrom)
       AND (:reportedTo IS NULL OR reported_at < :reportedTo)
       AND (:occurredFrom IS NULL OR occurred_at >= :occurredFrom)
       AND (:occurredTo IS NULL OR occurred_at < :occurredTo)
       AND (:west IS NULL OR (lng BETWEEN :west AND :east AND lat BETWEEN :south AND :north))
       AND NOT EXISTS (SELECT 1 FROM json_each(:words) AS word WHERE instr(search, word.value) = 0)
     ORDER BY ${sort}
     LIMIT +:limit`,
    {
      ...positionValues(query.order, start),
      status: query.status,
      origin: query.origin,
      claimedBy: query.claimedBy,
      states: listText(query.states),
      lgas: listText(query.lgas),
      types: listText(query.types),
      severities: listText(query.severities?.map((severity) => SEVERITIES.indexOf(severity)) ?? null),
      minConfidence: query.minConfidence,
      maxConfidence: query.maxConfidence,
      reportedFrom: query.reportedFrom,
      reportedTo: query.reportedTo,
      occurredFrom: query.occurredFrom,
      occurredTo: query.occurredTo,
      west: box?.west ?? null,
      south: box?.south ?? null,
      east: box?.east ?? null,
      north: box?.north ?? null,
      words: JSON.stringify(soughtWords(query)),
      now,
      window,
      limit,
    },
  )
  return rows.map((row) => ({ ...row }))
}

/** The last entry of the window; null if there are no entries after it. */
function lastInWindow(database: Database, query: DeskQuery, start: DeskPosition, window: number): DeskPosition | null {
  const { rank, sort } = DESK_ORDER_SQL[query.order]
  const row = database.get<DeskPosition>(
    `SELECT ${rank} AS rank, reported_at AS reportedAt, id FROM desk_entries
     WHERE status = :status AND ${afterSql(query.order, POSITION)}
     ORDER BY ${sort}
     LIMIT 1 OFFSET :last`,
    { ...positionValues(query.order, start), status: query.status, last: window - 1 },
  )
  return row === undefined ? null : { ...row }
}

function listText(values: readonly (string | number)[] | null): string | null {
  return values === null ? null : JSON.stringify(values)
}
