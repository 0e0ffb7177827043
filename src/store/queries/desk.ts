import { type DeskOrder, EMPTY_MODERATION_RECORD } from '../../domain/moderation.ts'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import { foundAs } from '../../lib/search-terms.ts'
import type {
  Desk,
  DeskChange,
  DeskCount,
  DeskHit,
  DeskPosition,
  OpenPair,
  PairDismissal,
  PairPosition,
} from '../store.ts'
import {
  allowed,
  among,
  bigint,
  embedded,
  GREATEST,
  hasWords,
  integer,
  LEAST,
  plain,
  real,
  shared,
  text,
} from './dialect.ts'
import { lockDeskHead, nextDeskRevision } from './heads.ts'
import { type DeskClaimRow, deskClaimOf, type IncidentRecordRow, incidentRecordOf } from './incidents.ts'
import { begin, type Fragment, first, type QueriesOf, rows, run, type Statement, sql, sqlVariant } from './query.ts'
import { addHistoryEntries, writeDeskEntries } from './save-incidents.ts'
import { deskEntryOf } from './write-plan.ts'

export const desk = {
  /** Looks at `window` entries after the position, in order, and filters them. */
  *find(query, after, limit, window, now) {
    const { rank, sort, first: start, isAfter } = ORDERS[query.order]
    const { status, origin, claimedBy, box } = query
    const severities = query.severities?.map((severity) => SEVERITIES.indexOf(severity)) ?? null
    const isLater = embedded(isAfter(after ?? start))
    const hits = yield* rows<DeskHit>(
      sqlVariant(query.order)`SELECT ${rank} AS rank, reported_at AS "reportedAt", id, lat, lng
          FROM (
            SELECT * FROM desk_entries
            WHERE status = ${status} AND ${isLater}
            ORDER BY ${sort}
            LIMIT ${plain(window)}
          ) AS looked_at
          WHERE (${text(origin)} IS NULL OR origin = ${origin})
            AND (${text(claimedBy)} IS NULL
                 OR (${text(claimedBy)} = 'none' AND (claimed_by IS NULL OR claimed_until <= ${now}))
                 OR (claimed_by = ${claimedBy} AND claimed_until > ${now}))
            AND ${allowed('state', 'text', query.states)} AND ${allowed('lga', 'text', query.lgas)}
            AND ${allowed('type', 'text', query.types)} AND ${allowed('severity', 'integer', severities)}
            AND (${real(query.minConfidence)} IS NULL OR confidence >= ${query.minConfidence})
            AND (${real(query.maxConfidence)} IS NULL OR confidence <= ${query.maxConfidence})
            AND (${bigint(query.reportedFrom)} IS NULL OR reported_at >= ${query.reportedFrom})
            AND (${bigint(query.reportedTo)} IS NULL OR reported_at < ${query.reportedTo})
            AND (${bigint(query.occurredFrom)} IS NULL OR occurred_at >= ${query.occurredFrom})
            AND (${bigint(query.occurredTo)} IS NULL OR occurred_at < ${query.occurredTo})
            AND (${real(box?.west ?? null)} IS NULL
                 OR (lng BETWEEN ${box?.west ?? null} AND ${box?.east ?? null}
                     AND lat BETWEEN ${box?.south ?? null} AND ${box?.north ?? null}))
            AND ${hasWords(query.words.map(foundAs))}
          ORDER BY ${sort}
          LIMIT ${plain(limit)}`,
    )
    if (hits.length === limit) return { hits, next: hits.at(-1)! }
    const last = yield* first<DeskPosition>(
      sqlVariant(query.order)`SELECT ${rank} AS rank, reported_at AS "reportedAt", id FROM desk_entries
          WHERE status = ${status} AND ${isLater}
          ORDER BY ${sort}
          LIMIT 1 OFFSET ${window - 1}`,
    )
    return { hits, next: last ?? null }
  },

  *counts() {
    const found = yield* rows<Omit<DeskCount, 'severity'> & { severity: number }>(
      sql`SELECT status, origin, severity, entries FROM desk_counts WHERE entries > 0`,
    )
    return found.map((row) => ({ ...row, severity: SEVERITIES[row.severity]! }))
  },

  claimCounts: (now) =>
    rows<{ accountId: string; reports: number }>(
      sql`SELECT claimed_by AS "accountId", count(*) AS reports FROM desk_entries
          WHERE claimed_by IS NOT NULL AND claimed_until > ${now} AND status = 'reported'
          GROUP BY claimed_by`,
    ),

  *claim({ incident, moderation, claim, takeOver }, now) {
    yield* begin()
    const { id } = incident
    const known = yield* rows(sql`SELECT 1 FROM desk_entries WHERE id = ${id}`)
    if (known.length === 0) yield* writeDeskEntries([deskEntryOf(incident, moderation, true)])
    const claimed = yield* run(
      sql`UPDATE desk_entries
          SET claimed_by = ${claim.accountId}, claim_name = ${claim.name}, claimed_until = ${claim.until},
              revision = ${yield* nextDeskRevision()}
          WHERE id = ${id} AND (${takeOver !== null} OR claimed_by IS NULL OR claimed_by = ${claim.accountId}
                                OR claimed_until <= ${now})`,
    )
    if (claimed === 0) return false
    if (takeOver !== null) yield* addHistoryEntries([{ incidentId: id, entry: takeOver.historyEntry }])
    return true
  },

  *release(id, accountId) {
    yield* begin()
    yield* lockDeskHead()
    const held = yield* rows(sql`SELECT 1 FROM desk_entries WHERE id = ${id} AND claimed_by = ${accountId}`)
    if (held.length === 0) return
    yield* run(
      sql`UPDATE desk_entries SET claimed_by = NULL, claim_name = NULL, claimed_until = NULL,
            revision = ${yield* nextDeskRevision()}
          WHERE id = ${id}`,
    )
  },

  *changedAfter(revision, limit) {
    const found = yield* rows<Omit<DeskChange, 'claim'> & DeskClaimRow>(
      sql`SELECT revision, id, status, version, claimed_by, claim_name, claimed_until FROM desk_entries
          WHERE revision > ${revision}
          ORDER BY revision
          LIMIT ${plain(limit)}`,
    )
    return found.map(({ claimed_by, claim_name, claimed_until, ...change }) => ({
      ...change,
      claim: deskClaimOf({ claimed_by, claim_name, claimed_until }),
    }))
  },

  *head() {
    const head = yield* first<{ revision: number }>(sql`SELECT revision FROM desk_head`)
    return head!.revision
  },

  *addMissing(limit) {
    yield* begin()
    // Locked before the read: an entry that another writer adds meanwhile is not overwritten.
    yield* lockDeskHead()
    const found = yield* rows<IncidentRecordRow>(
      sql`SELECT document, dossier, NULL AS claimed_by, NULL AS claim_name, NULL AS claimed_until FROM incidents
          WHERE status <> 'confirmed' AND NOT EXISTS (SELECT 1 FROM desk_entries WHERE desk_entries.id = incidents.id)
          LIMIT ${plain(limit)}`,
    )
    // An incident saved before there was a queue has no moderation record if it was imported.
    const missing = found
      .map(incidentRecordOf)
      .map(({ incident, moderation }) => deskEntryOf(incident, moderation ?? EMPTY_MODERATION_RECORD, true))
    yield* writeDeskEntries(missing)
    return found.length
  },

  *openPairs(after, limit, window) {
    const { importId, score, incidentId, otherId } = after ?? FIRST_PAIR
    const found = yield* rows<PairRow>(
      sql`SELECT pairs.incident_id AS "incidentId", pairs.other_id AS "otherId", pairs.import_id AS "importId",
                 pairs.score, pairs.proposed_at AS "offeredAt", dismissed.one_id, dismissed.other_id,
                 dismissed.one_version, dismissed.other_version, dismissed.evidence, dismissed.dismissed_at,
                 one.status IN ('reported', 'confirmed') AND other.status IN ('reported', 'confirmed')
                   AND (dismissed.one_id IS NULL OR dismissed.one_version <> one.version
                        OR dismissed.other_version <> other.version) AS is_open
          FROM (SELECT * FROM duplicate_pairs
                WHERE (import_id, score, incident_id, other_id)
                      < (${text(importId)}, ${real(score)}, ${text(incidentId)}, ${text(otherId)})
                ORDER BY import_id DESC, score DESC, incident_id DESC, other_id DESC
                LIMIT ${plain(window)}) AS pairs
          LEFT JOIN incidents AS one ON one.id = ${LEAST}(pairs.incident_id, pairs.other_id)
          LEFT JOIN incidents AS other ON other.id = ${GREATEST}(pairs.incident_id, pairs.other_id)
          LEFT JOIN dismissed_pairs AS dismissed ON dismissed.one_id = one.id AND dismissed.other_id = other.id
          ORDER BY pairs.import_id DESC, pairs.score DESC, pairs.incident_id DESC, pairs.other_id DESC`,
    )
    const open: OpenPair[] = []
    for (const row of found) {
      if (!row.is_open) continue
      open.push(openPairOf(row))
      if (open.length === limit) return { pairs: open, next: positionOf(row) }
    }
    return { pairs: open, next: found.length < window ? null : positionOf(found.at(-1)!) }
  },

  dismissals(after, limit) {
    const { dismissedAt, oneId, otherId } = after ?? { dismissedAt: Number.MAX_SAFE_INTEGER, oneId: '', otherId: '' }
    return rows<PairDismissal>(
      sql`SELECT ${DISMISSAL} FROM dismissed_pairs
          WHERE (dismissed_at, one_id, other_id) < (${bigint(dismissedAt)}, ${text(oneId)}, ${text(otherId)})
          ORDER BY dismissed_at DESC, one_id DESC, other_id DESC LIMIT ${plain(limit)}`,
    )
  },

  dismissalsOf: (ids) =>
    rows<PairDismissal>(
      sql`SELECT ${DISMISSAL} FROM dismissed_pairs WHERE one_id ${among(ids)}
          UNION
          SELECT ${DISMISSAL} FROM dismissed_pairs WHERE other_id ${among(ids)}`,
    ),
} satisfies QueriesOf<Desk>

interface DeskOrderSql {
  readonly rank: Fragment
  readonly sort: Fragment
  /** Before all entries. */
  readonly first: DeskPosition
  /** Compares in the order of an index, with the types of its columns: otherwise it is not used. */
  isAfter(position: DeskPosition): Statement
}

const NEWEST = { rank: 1_000, reportedAt: Number.MAX_SAFE_INTEGER, id: '~' }

const ORDERS: Readonly<Record<DeskOrder, DeskOrderSql>> = {
  newest: {
    rank: shared('0'),
    sort: shared('reported_at DESC, id DESC'),
    first: NEWEST,
    isAfter: ({ reportedAt, id }) => sql`(reported_at, id) < (${bigint(reportedAt)}, ${text(id)})`,
  },
  oldest: {
    rank: shared('0'),
    sort: shared('reported_at, id'),
    first: { rank: 0, reportedAt: Number.MIN_SAFE_INTEGER, id: '' },
    isAfter: ({ reportedAt, id }) => sql`(reported_at, id) > (${bigint(reportedAt)}, ${text(id)})`,
  },
  severity: {
    rank: shared('severity'),
    sort: shared('severity DESC, reported_at DESC, id DESC'),
    first: NEWEST,
    isAfter: ({ rank, reportedAt, id }) =>
      sql`(severity, reported_at, id) < (${integer(rank)}, ${bigint(reportedAt)}, ${text(id)})`,
  },
  confidence: {
    rank: shared('confidence'),
    sort: shared('confidence DESC, reported_at DESC, id DESC'),
    first: NEWEST,
    isAfter: ({ rank, reportedAt, id }) =>
      sql`(confidence, reported_at, id) < (${real(rank)}, ${bigint(reportedAt)}, ${text(id)})`,
  },
}

const DISMISSAL = shared(
  `one_id AS "oneId", other_id AS "otherId", one_version AS "oneVersion", other_version AS "otherVersion", evidence,
   dismissed_at AS "dismissedAt"`,
)

type PairRow = Omit<OpenPair, 'dismissal'> & {
  readonly is_open: number | boolean
  readonly one_id: string | null
  readonly other_id: string
  readonly one_version: number
  readonly other_version: number
  readonly evidence: number
  readonly dismissed_at: number
}

/** Greater than every position: ids are lower case, and a score is at most 1. */
const FIRST_PAIR: PairPosition = { importId: '~', score: 2, incidentId: '~', otherId: '~' }

function positionOf({ importId, score, incidentId, otherId }: PairRow): PairPosition {
  return { importId, score, incidentId, otherId }
}

function openPairOf(row: PairRow): OpenPair {
  const { one_id: oneId, evidence } = row
  const dismissal =
    oneId === null
      ? null
      : {
          oneId,
          otherId: row.other_id,
          oneVersion: row.one_version,
          otherVersion: row.other_version,
          evidence,
          dismissedAt: row.dismissed_at,
        }
  return { ...positionOf(row), offeredAt: row.offeredAt, dismissal }
}
