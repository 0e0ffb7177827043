import { applyWatchPatch, type NewWatch } from '../../../domain/watch.ts'
import type { StoredAlert } from '../../interface/watches.ts'
import { isBlocked, requireOpen } from '../../queries/heads.ts'
import { findWatch, insertWatch, updateWatch } from '../../queries/watches.ts'
import { confirmedState } from '../../shared/confirmed-state.ts'
import type { Database } from '../database.ts'
import { headOf } from '../incidents/events.ts'

export function alerts(database: Database) {
  return {
    add(watch: NewWatch, recipientHash: string, askedSince: number): boolean {
      return database.transaction(() => {
        const asked = database.run(
          `INSERT INTO alert_requests (recipient_hash, asked_at) VALUES (?1, ?2)
           ON CONFLICT (recipient_hash) DO UPDATE SET asked_at = ?2 WHERE asked_at < ?3`,
          [recipientHash, watch.createdAt, askedSince],
        )
        if (asked === 0) return false
        insertAlert(database, watch, recipientHash, null)
        return true
      })
    },

    start(watch: NewWatch, recipientHash: string, max: number): boolean {
      return database.transaction(() => {
        if (countHeld(database, recipientHash) >= max) return false
        insertAlert(database, watch, recipientHash, watch.createdAt)
        return true
      })
    },

    setRecipient(watchId: string, recipientHash: string): void {
      database.run('UPDATE alerts SET recipient_hash = ? WHERE watch_id = ?', [recipientHash, watchId])
    },

    confirm(watchId: string, askedSince: number, max: number, now: number): 'confirmed' | 'too_many' | null {
      return database.transaction(() => {
        const alert = database.get<{ recipient: string; created_at: number; confirmed_at: number | null }>(
          'SELECT recipient_hash AS recipient, created_at, confirmed_at FROM alerts WHERE watch_id = ?',
          [watchId],
        )
        if (alert === undefined) return null
        if (alert.confirmed_at !== null) return 'confirmed'
        if (alert.created_at < askedSince) return null
        if (countHeld(database, alert.recipient) >= max) return 'too_many'
        database.run('UPDATE alerts SET confirmed_at = ? WHERE watch_id = ?', [now, watchId])
        database.run('DELETE FROM alert_requests WHERE recipient_hash = ?', [alert.recipient])
        const found = database.perform(findWatch(null, watchId))!
        const watch = applyWatchPatch(found, confirmedState(database.perform(isBlocked(found.accountId))), now)
        database.perform(updateWatch({ ...watch, createdSeq: headOf(database).seq }))
        return 'confirmed'
      })
    },

    find(watchId: string): StoredAlert | null {
      const row = database.get<StoredAlert>(
        'SELECT watch_id AS watchId, created_at AS createdAt, confirmed_at AS confirmedAt FROM alerts WHERE watch_id = ?',
        [watchId],
      )
      return row === undefined ? null : { ...row }
    },

    toRemove(unconfirmedBefore: number, except: string, limit: number): string[] {
      return database
        .all<{ id: string }>(
          `SELECT watch_id AS id FROM alerts WHERE confirmed_at IS NULL AND created_at < ?1
           UNION
           SELECT watch_id FROM alerts JOIN watches ON watches.id = alerts.watch_id
           WHERE watches.status = 'disabled' AND watches.disabled_reason IS NOT ?2
           LIMIT +?3`,
          [unconfirmedBefore, except, limit],
        )
        .map(({ id }) => id)
    },

    forgetRequest(watchId: string): void {
      database.run(
        'DELETE FROM alert_requests WHERE recipient_hash = (SELECT recipient_hash FROM alerts WHERE watch_id = ?)',
        [watchId],
      )
    },

    deleteRequests(before: number): void {
      database.run('DELETE FROM alert_requests WHERE asked_at < ?', [before])
    },
  }
}

function countHeld(database: Database, recipientHash: string): number {
  return database.get<{ held: number }>(
    'SELECT count(*) AS held FROM alerts WHERE recipient_hash = ? AND confirmed_at IS NOT NULL',
    [recipientHash],
  )!.held
}

function insertAlert(database: Database, watch: NewWatch, recipientHash: string, confirmedAt: number | null): void {
  database.perform(requireOpen(watch.accountId))
  database.perform(insertWatch({ ...watch, createdSeq: headOf(database).seq, sequence: 0, failingSince: null }))
  database.run('INSERT INTO alerts (watch_id, recipient_hash, created_at, confirmed_at) VALUES (?, ?, ?, ?)', [
    watch.id,
    recipientHash,
    watch.createdAt,
    confirmedAt,
  ])
}
