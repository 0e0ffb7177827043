import {
  applyWatchPatch,
  clearsFailures,
  MAX_SECRETS,
  resumes,
  type Watch,
  type WatchFilter,
} from '../../../domain/watch.ts'
import { headersLeavingOrigin, unknownHeaders } from '../../../domain/watch-headers.ts'
import {
  headersText,
  RECEIVER,
  type WatchChangeRow,
  type WatchRow,
  watchChangeOf,
  watchOf,
  watchValues,
} from '../../shared/rows/watch-rows.ts'
import type { FilterRefusal, ResumedWatch, StoredSecrets, Watches } from '../../watches.ts'
import { requireOpen } from '../accounts/require-open.ts'
import { filterWithArea, linkArea } from '../areas/watch-areas.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import type { Listeners } from '../connection/listen.ts'
import { filterWithSites, linkSites } from '../sites/watch-site-lists.ts'
import { pruneRemoved } from './prune-removed.ts'
import { noteChangedFilters } from './replace-filters.ts'
import { advanceRevision, lockedRevision } from './watch-head.ts'

interface PrunedRow {
  readonly revision: number
  readonly id: null
}

export function watches(connection: PostgresConnection, listeners: Listeners): Watches {
  return {
    add(watch, max) {
      return connection.transaction(async (query) => {
        // Locks the log's head before the watches' head: a fixed order prevents deadlocks.
        const [head] = await query<{ seq: number }>('SELECT seq FROM log_head FOR UPDATE')
        const revision = await lockedRevision(query)
        await requireOpen(query, watch.accountId)
        const [account] = await query<{ held: number; taken: boolean | null }>(
          'SELECT count(*) AS held, bool_or(name = $2) AS taken FROM watches WHERE account_id = $1',
          [watch.accountId, watch.name],
        )
        if (account!.taken) return 'name_taken'
        if (account!.held >= max) return 'too_many'
        const filter = await filterWithSaved(query, watch, watch.filter)
        if (typeof filter === 'string') return filter
        const added = { ...watch, filter, createdSeq: head!.seq, sequence: 0, failingSince: null }
        await insertWatch(query, added, revision + 1)
        await linkArea(query, added.id, filter.areaId)
        await linkSites(query, added.id, filter.siteListId)
        await advanceRevision(query)
        return added
      })
    },

    find: (accountId, id) => findWatch(connection.query, accountId, id),

    async list(accountId, limit, before) {
      const rows = await connection.query<WatchRow>(
        `SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
         FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
         WHERE watches.account_id = $1 AND ($2::text IS NULL OR watches.id < $2)
         ORDER BY watches.id DESC
         LIMIT $3`,
        [accountId, before, limit],
      )
      return rows.map(watchOf)
    },

    async ids(accountId, limit) {
      const rows = await connection.query<{ id: string }>(
        'SELECT id FROM watches WHERE account_id = $1 ORDER BY id DESC LIMIT $2',
        [accountId, limit],
      )
      return rows.map(({ id }) => id)
    },

    change(accountId, id, patch, now) {
      return connection.transaction(async (query) => {
        const revision = await lockedRevision(query)
        const watch = await findWatch(query, accountId, id)
        if (watch === null) return null
        const filter = await filterWithSaved(query, watch, patch.filter ?? watch.filter)
        if (typeof filter === 'string') return filter
        const changed = applyWatchPatch(watch, { ...patch, filter }, now)
        const namesakes = await query('SELECT 1 FROM watches WHERE account_id = $1 AND name = $2 AND id <> $3', [
          accountId,
          changed.name,
          id,
        ])
        if (namesakes.length > 0) return 'name_taken'
        if (unknownHeaders(watch.headers, patch.headers ?? []).length > 0) return 'unknown_header'
        if (headersLeavingOrigin(watch, patch).length > 0) return 'headers_leave_origin'
        if (changed.secrets.length > MAX_SECRETS) return 'too_many_secrets'
        await updateWatch(query, changed, revision + 1)
        if (changed.filter.canonical !== watch.filter.canonical) await noteChangedFilters(query, [id])
        if (patch.filter !== undefined) {
          await linkArea(query, id, filter.areaId)
          await linkSites(query, id, filter.siteListId)
        }
        if (clearsFailures(watch, changed)) await clearFailures(query, id)
        if (resumes(watch, changed))
          await query('UPDATE watch_progress SET resumed_at = $2 WHERE watch_id = $1', [id, now])
        await advanceRevision(query)
        return changed
      })
    },

    disable(accountId, id, { url, reason }, now) {
      return connection.transaction(async (query) => {
        const revision = await lockedRevision(query)
        const watch = await findWatch(query, accountId, id)
        if (watch?.status !== 'active' || watch.url !== url) return false
        const disabled = applyWatchPatch(watch, { status: 'disabled', disabledReason: reason }, now)
        await updateWatch(query, disabled, revision + 1)
        await advanceRevision(query)
        return true
      })
    },

    async countWarning(id, number) {
      const counted = await connection.query(
        'UPDATE watch_progress SET warnings = $2 WHERE watch_id = $1 AND warnings < $2 RETURNING watch_id',
        [id, number],
      )
      return counted.length === 1
    },

    resuming(before, limit) {
      return connection.query<ResumedWatch>(
        `SELECT watches.id, watches.account_id AS "accountId", watch_progress.resumed_at AS "resumedAt"
         FROM watch_progress JOIN watches ON watches.id = watch_progress.watch_id
         WHERE watch_progress.resumed_at < $1 AND watches.status = 'active'
         ORDER BY watch_progress.resumed_at
         LIMIT $2`,
        [before, limit],
      )
    },

    async finishResuming({ id, resumedAt }) {
      await connection.query('UPDATE watch_progress SET resumed_at = NULL WHERE watch_id = $1 AND resumed_at = $2', [
        id,
        resumedAt,
      ])
    },

    remove(accountId, id) {
      return connection.transaction(async (query) => {
        const revision = await lockedRevision(query)
        const removed = await query('DELETE FROM watches WHERE account_id = $1 AND id = $2 RETURNING id', [
          accountId,
          id,
        ])
        if (removed.length === 0) return false
        await query('INSERT INTO removed_watches (id, revision, emptied) VALUES ($1, $2, false)', [id, revision + 1])
        await advanceRevision(query)
        return true
      })
    },

    async changedAfter(revision, limit) {
      // One statement, so that nothing is pruned in between: a first row without id is the mark.
      const rows = await connection.query<WatchChangeRow | PrunedRow>(
        `SELECT * FROM (
           (SELECT pruned_revision AS revision, NULL::text AS id, NULL AS canonical_filter, NULL AS events,
                   NULL AS status, NULL::bigint AS created_seq, NULL AS host, NULL AS account_id, NULL AS schedule,
                   NULL AS receiver, NULL::bigint AS filter_seq
            FROM watch_head WHERE pruned_revision > $1)
           UNION ALL
           (SELECT revision, id, canonical_filter, events, status, created_seq, host, account_id, schedule, ${RECEIVER},
                   filter_seq
            FROM watches WHERE revision > $1 ORDER BY revision LIMIT $2)
           UNION ALL
           (SELECT revision, id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM removed_watches WHERE revision > $1 ORDER BY revision LIMIT $2)
         ) AS changed
         ORDER BY id IS NOT NULL, revision
         LIMIT $2::bigint + 1`,
        [revision, limit],
      )
      const changes = rows.filter((row) => row.id !== null).slice(0, limit)
      const [first] = rows
      return { changes: changes.map(watchChangeOf), prunedTo: first?.id === null ? first.revision : null }
    },

    storedSecrets: (afterId, limit) =>
      connection.query<StoredSecrets>(
        `SELECT id AS "watchId", account_id AS "accountId", channel, url, secrets AS text, headers AS "headersText"
         FROM watches WHERE id > $1 ORDER BY id LIMIT $2`,
        [afterId, limit],
      ),

    async replaceSecrets(changes) {
      const replaced = await connection.query(
        `UPDATE watches SET secrets = given.secrets, headers = given.headers
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
           AS given (id, text, secrets, headers_before, headers)
         WHERE watches.id = given.id AND watches.secrets = given.text
           AND watches.headers IS NOT DISTINCT FROM given.headers_before
         RETURNING watches.id`,
        [
          changes.map(({ watchId }) => watchId),
          changes.map(({ text }) => text),
          changes.map(({ secrets }) => JSON.stringify(secrets)),
          changes.map(({ headersText }) => headersText),
          changes.map(({ headers }) => headersText(headers)),
        ],
      )
      return replaced.length
    },

    pruneRemoved: (now, before, limit) => connection.transaction((query) => pruneRemoved(query, now, before, limit)),

    onChange: (listener) => listeners.add('watches', listener),
  }
}

/** Returns the filter with what it names of what its account has saved. */
async function filterWithSaved(
  query: Query,
  watch: Pick<Watch, 'id' | 'accountId'>,
  filter: WatchFilter,
): Promise<WatchFilter | FilterRefusal> {
  const withArea = await filterWithArea(query, watch, filter)
  return typeof withArea === 'string' ? withArea : filterWithSites(query, watch, withArea)
}

export async function findWatch(query: Query, accountId: string | null, id: string): Promise<Watch | null> {
  const [row] = await query<WatchRow>(
    `SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
     FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
     WHERE watches.id = $2 AND ($1::text IS NULL OR watches.account_id = $1)`,
    [accountId, id],
  )
  return row === undefined ? null : watchOf(row)
}

export async function insertWatch(query: Query, watch: Watch, revision: number): Promise<void> {
  await query(
    `INSERT INTO watches (id, account_id, name, url, host, description, events, status, disabled_reason, secrets,
                          created_at, updated_at, created_seq, revision,
                          canonical_filter, filter, headers, channel, schedule)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    watchValues(watch, revision),
  )
  await query('INSERT INTO watch_progress (watch_id, sequence, failing_since) VALUES ($1, 0, NULL)', [watch.id])
}

export async function updateWatch(query: Query, watch: Watch, revision: number): Promise<void> {
  await query(
    `UPDATE watches
     SET account_id = $2, name = $3, url = $4, host = $5, description = $6, events = $7, status = $8,
         disabled_reason = $9, secrets = $10, created_at = $11, updated_at = $12, created_seq = $13, revision = $14,
         canonical_filter = $15, filter = $16, headers = $17, channel = $18, schedule = $19
     WHERE id = $1`,
    watchValues(watch, revision),
  )
}

async function clearFailures(query: Query, id: string): Promise<void> {
  await query('UPDATE watch_progress SET failing_since = NULL, failures = NULL, warnings = 0 WHERE watch_id = $1', [id])
}
