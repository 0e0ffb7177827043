import { applyWatchPatch, type NewWatch } from '../../../domain/watch.ts'
import type { Alerts, StoredAlert } from '../../interface/watches.ts'
import { isBlocked, requireOpen } from '../../queries/heads.ts'
import { findWatch, insertWatch, updateWatch } from '../../queries/watches.ts'
import { confirmedState } from '../../shared/confirmed-state.ts'
import { type PostgresConnection, performWithin, type Query } from '../connection.ts'
import { lockedRevision } from './watch-head.ts'

export function alerts(connection: PostgresConnection): Alerts {
  return {
    add(watch, recipientHash, askedSince) {
      return connection.transaction(async (query) => {
        // The heads first, in the order of every writer: otherwise two could wait for each other.
        const [head] = await query<{ seq: number }>('SELECT seq FROM log_head FOR UPDATE')
        await lockedRevision(query)
        const asked = await query(
          `INSERT INTO alert_requests (recipient_hash, asked_at) VALUES ($1, $2)
           ON CONFLICT (recipient_hash) DO UPDATE SET asked_at = $2 WHERE alert_requests.asked_at < $3
           RETURNING recipient_hash`,
          [recipientHash, watch.createdAt, askedSince],
        )
        if (asked.length === 0) return false
        await insertAlert(query, watch, recipientHash, null, head!.seq)
        return true
      })
    },

    start(watch, recipientHash, max) {
      return connection.transaction(async (query) => {
        const [head] = await query<{ seq: number }>('SELECT seq FROM log_head FOR UPDATE')
        // Locked: two that ask at once are counted one after the other.
        await lockedRevision(query)
        if ((await countHeld(query, recipientHash)) >= max) return false
        await insertAlert(query, watch, recipientHash, watch.createdAt, head!.seq)
        return true
      })
    },

    async setRecipient(watchId, recipientHash) {
      await connection.query('UPDATE alerts SET recipient_hash = $2 WHERE watch_id = $1', [watchId, recipientHash])
    },

    confirm(watchId, askedSince, max, now) {
      return connection.transaction(async (query) => {
        const [head] = await query<{ seq: number }>('SELECT seq FROM log_head FOR UPDATE')
        await lockedRevision(query)
        const [alert] = await query<{ recipient: string; created_at: number; confirmed_at: number | null }>(
          'SELECT recipient_hash AS recipient, created_at, confirmed_at FROM alerts WHERE watch_id = $1 FOR UPDATE',
          [watchId],
        )
        if (alert === undefined) return null
        if (alert.confirmed_at !== null) return 'confirmed'
        if (alert.created_at < askedSince) return null
        if ((await countHeld(query, alert.recipient)) >= max) return 'too_many'
        await query('UPDATE alerts SET confirmed_at = $1 WHERE watch_id = $2', [now, watchId])
        await query('DELETE FROM alert_requests WHERE recipient_hash = $1', [alert.recipient])
        const found = await performWithin(query, findWatch(null, watchId))
        const state = confirmedState(await performWithin(query, isBlocked(found!.accountId)))
        const watch = applyWatchPatch(found!, state, now)
        await performWithin(query, updateWatch({ ...watch, createdSeq: head!.seq }))
        return 'confirmed'
      })
    },

    async find(watchId) {
      const [row] = await connection.query<StoredAlert>(
        'SELECT watch_id AS "watchId", created_at AS "createdAt", confirmed_at AS "confirmedAt" FROM alerts WHERE watch_id = $1',
        [watchId],
      )
      return row ?? null
    },

    async toRemove(unconfirmedBefore, except, limit) {
      const rows = await connection.query<{ id: string }>(
        `SELECT watch_id AS id FROM alerts WHERE confirmed_at IS NULL AND created_at < $1
         UNION
         SELECT watch_id FROM alerts JOIN watches ON watches.id = alerts.watch_id
         WHERE watches.status = 'disabled' AND watches.disabled_reason IS DISTINCT FROM $2
         LIMIT $3`,
        [unconfirmedBefore, except, limit],
      )
      return rows.map(({ id }) => id)
    },

    async forgetRequest(watchId) {
      await connection.query(
        'DELETE FROM alert_requests WHERE recipient_hash = (SELECT recipient_hash FROM alerts WHERE watch_id = $1)',
        [watchId],
      )
    },

    async deleteRequests(before) {
      await connection.query('DELETE FROM alert_requests WHERE asked_at < $1', [before])
    },
  }
}

async function countHeld(query: Query, recipientHash: string): Promise<number> {
  const [row] = await query<{ held: number }>(
    'SELECT count(*) AS held FROM alerts WHERE recipient_hash = $1 AND confirmed_at IS NOT NULL',
    [recipientHash],
  )
  return row!.held
}

async function insertAlert(
  query: Query,
  watch: NewWatch,
  recipientHash: string,
  confirmedAt: number | null,
  createdSeq: number,
): Promise<void> {
  await performWithin(query, requireOpen(watch.accountId))
  await performWithin(query, insertWatch({ ...watch, createdSeq, sequence: 0, failingSince: null }))
  await query('INSERT INTO alerts (watch_id, recipient_hash, created_at, confirmed_at) VALUES ($1, $2, $3, $4)', [
    watch.id,
    recipientHash,
    watch.createdAt,
    confirmedAt,
  ])
}
