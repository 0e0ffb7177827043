import {
  applyWatchPatch,
  clearsFailures,
  MAX_SECRETS,
  type NewWatch,
  resumes,
  type Watch,
  type WatchFilter,
  type WatchPatch,
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
import type {
  ChangeRefusal,
  DisablingCause,
  FilterRefusal,
  ResumedWatch,
  SecretsReplacement,
  StoredSecrets,
  WatchChanges,
  WatchRefusal,
} from '../../watches.ts'
import { requireOpen } from '../accounts/require-open.ts'
import { filterWithArea, linkArea } from '../areas/watch-areas.ts'
import type { Database } from '../connection/database.ts'
import { headOf } from '../incidents/events.ts'
import { filterWithSites, linkSites } from '../sites/watch-site-lists.ts'
import { pruneRemoved } from './prune-removed.ts'
import { noteChangedFilter } from './replace-filters.ts'
import { nextRevision } from './watch-head.ts'

export function watches(database: Database) {
  return {
    add(watch: NewWatch, max: number): Watch | WatchRefusal {
      return database.transaction(() => {
        requireOpen(database, watch.accountId)
        const { held, taken } = database.get<{ held: number; taken: number }>(
          `SELECT count(*) AS held, coalesce(max(name = :name), 0) AS taken FROM watches WHERE account_id = :accountId`,
          { accountId: watch.accountId, name: watch.name },
        )!
        if (taken) return 'name_taken'
        if (held >= max) return 'too_many'
        const filter = filterWithSaved(database, watch, watch.filter)
        if (typeof filter === 'string') return filter
        const added = { ...watch, filter, createdSeq: headOf(database).seq, sequence: 0, failingSince: null }
        insertWatch(database, added)
        linkArea(database, added.id, filter.areaId)
        linkSites(database, added.id, filter.siteListId)
        return added
      })
    },

    find(accountId: string | null, id: string): Watch | null {
      return findWatch(database, accountId, id)
    },

    list(accountId: string, limit: number, before: string | null): Watch[] {
      const rows = database.all<WatchRow>(
        `SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
         FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
         WHERE watches.account_id = :accountId AND (:before IS NULL OR watches.id < :before)
         ORDER BY watches.id DESC
         LIMIT +:limit`,
        { accountId, before, limit },
      )
      return rows.map(watchOf)
    },

    ids(accountId: string, limit: number): string[] {
      return database
        .all<{ id: string }>('SELECT id FROM watches WHERE account_id = ? ORDER BY id DESC LIMIT +?', [
          accountId,
          limit,
        ])
        .map(({ id }) => id)
    },

    change(accountId: string, id: string, patch: WatchPatch, now: number): Watch | ChangeRefusal | null {
      return database.transaction(() => {
        const watch = findWatch(database, accountId, id)
        if (watch === null) return null
        const filter = filterWithSaved(database, watch, patch.filter ?? watch.filter)
        if (typeof filter === 'string') return filter
        const changed = applyWatchPatch(watch, { ...patch, filter }, now)
        const namesake = database.get('SELECT 1 FROM watches WHERE account_id = ? AND name = ? AND id <> ?', [
          accountId,
          changed.name,
          id,
        ])
        if (namesake !== undefined) return 'name_taken'
        if (unknownHeaders(watch.headers, patch.headers ?? []).length > 0) return 'unknown_header'
        if (headersLeavingOrigin(watch, patch).length > 0) return 'headers_leave_origin'
        if (changed.secrets.length > MAX_SECRETS) return 'too_many_secrets'
        updateWatch(database, changed)
        if (changed.filter.canonical !== watch.filter.canonical) noteChangedFilter(database, id)
        if (patch.filter !== undefined) {
          linkArea(database, id, filter.areaId)
          linkSites(database, id, filter.siteListId)
        }
        if (clearsFailures(watch, changed)) clearFailures(database, id)
        if (resumes(watch, changed))
          database.run('UPDATE watch_progress SET resumed_at = ? WHERE watch_id = ?', [now, id])
        return changed
      })
    },

    disable(accountId: string, id: string, { url, reason }: DisablingCause, now: number): boolean {
      return database.transaction(() => {
        const watch = findWatch(database, accountId, id)
        if (watch?.status !== 'active' || watch.url !== url) return false
        updateWatch(database, applyWatchPatch(watch, { status: 'disabled', disabledReason: reason }, now))
        return true
      })
    },

    countWarning(id: string, number: number): boolean {
      const counted = database.run('UPDATE watch_progress SET warnings = ?2 WHERE watch_id = ?1 AND warnings < ?2', [
        id,
        number,
      ])
      return counted === 1
    },

    resuming(before: number, limit: number): ResumedWatch[] {
      return database
        .all<ResumedWatch>(
          `SELECT watches.id, watches.account_id AS accountId, watch_progress.resumed_at AS resumedAt
           FROM watch_progress JOIN watches ON watches.id = watch_progress.watch_id
           WHERE watch_progress.resumed_at < ? AND watches.status = 'active'
           ORDER BY watch_progress.resumed_at
           LIMIT +?`,
          [before, limit],
        )
        .map((row) => ({ ...row }))
    },

    finishResuming({ id, resumedAt }: ResumedWatch): void {
      database.run('UPDATE watch_progress SET resumed_at = NULL WHERE watch_id = ? AND resumed_at = ?', [id, resumedAt])
    },

    remove(accountId: string, id: string): boolean {
      return database.transaction(() => {
        const removed = database.run('DELETE FROM watches WHERE account_id = ? AND id = ?', [accountId, id])
        if (removed === 0) return false
        database.run('INSERT INTO removed_watches (id, revision, emptied) VALUES (?, ?, 0)', [
          id,
          nextRevision(database),
        ])
        return true
      })
    },

    changedAfter(revision: number, limit: number): WatchChanges {
      const pruned = database.get<{ prunedTo: number }>(
        'SELECT pruned_revision AS prunedTo FROM watch_head WHERE pruned_revision > ?',
        [revision],
      )
      const rows = database.all<WatchChangeRow>(
        `SELECT revision, id, canonical_filter, events, status, created_seq, host, account_id, schedule, ${RECEIVER}, filter_seq
         FROM watches WHERE revision > :revision
         UNION ALL
         SELECT revision, id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
         FROM removed_watches WHERE revision > :revision
         ORDER BY revision
         LIMIT +:limit`,
        { revision, limit },
      )
      return { changes: rows.map(watchChangeOf), prunedTo: pruned?.prunedTo ?? null }
    },

    pruneRemoved(now: number, before: number, limit: number): number {
      return database.transaction(() => pruneRemoved(database, now, before, limit))
    },

    storedSecrets(afterId: string, limit: number): StoredSecrets[] {
      return database
        .all<StoredSecrets>(
          `SELECT id AS watchId, account_id AS accountId, channel, url, secrets AS text, headers AS headersText
           FROM watches WHERE id > ? ORDER BY id LIMIT +?`,
          [afterId, limit],
        )
        .map((row) => ({ ...row }))
    },

    /** Overwrites the replaced rows and empties the log: the texts may not have been encrypted. */
    replaceSecrets(changes: readonly SecretsReplacement[]): number {
      database.script('PRAGMA secure_delete = ON')
      try {
        return database.transaction(() =>
          changes.reduce(
            (replaced, { watchId, text, headersText: before, secrets, headers }) =>
              replaced +
              database.run(
                'UPDATE watches SET secrets = ?, headers = ? WHERE id = ? AND secrets = ? AND headers IS ?',
                [JSON.stringify(secrets), headersText(headers), watchId, text, before],
              ),
            0,
          ),
        )
      } finally {
        database.script('PRAGMA wal_checkpoint(TRUNCATE)')
        database.script('PRAGMA secure_delete = OFF')
      }
    },
  }
}

/** Returns the filter with what it names of what its account has saved. */
function filterWithSaved(
  database: Database,
  watch: Pick<Watch, 'id' | 'accountId'>,
  filter: WatchFilter,
): WatchFilter | FilterRefusal {
  const withArea = filterWithArea(database, watch, filter)
  return typeof withArea === 'string' ? withArea : filterWithSites(database, watch, withArea)
}

export function findWatch(database: Database, accountId: string | null, id: string): Watch | null {
  const row = database.get<WatchRow>(
    `SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
     FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
     WHERE watches.id = +?2 AND (?1 IS NULL OR watches.account_id = ?1)`,
    [accountId, id],
  )
  return row === undefined ? null : watchOf(row)
}

export function insertWatch(database: Database, watch: Watch): void {
  database.run(
    `INSERT INTO watches (id, account_id, name, url, host, description, events, status, disabled_reason, secrets,
                          created_at, updated_at, created_seq, revision,
                          canonical_filter, filter, headers, channel, schedule)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    watchValues(watch, nextRevision(database)),
  )
  database.run('INSERT INTO watch_progress (watch_id, sequence, failing_since) VALUES (?, 0, NULL)', [watch.id])
}

export function updateWatch(database: Database, watch: Watch): void {
  database.run(
    `UPDATE watches
     SET account_id = ?2, name = ?3, url = ?4, host = ?5, description = ?6, events = ?7, status = ?8,
         disabled_reason = ?9, secrets = ?10, created_at = ?11, updated_at = ?12, created_seq = ?13, revision = ?14,
         canonical_filter = ?15, filter = ?16, headers = ?17, channel = ?18, schedule = ?19
     WHERE id = ?1`,
    watchValues(watch, nextRevision(database)),
  )
}

function clearFailures(database: Database, id: string): void {
  database.run('UPDATE watch_progress SET failing_since = NULL, failures = NULL, warnings = 0 WHERE watch_id = ?', [id])
}
