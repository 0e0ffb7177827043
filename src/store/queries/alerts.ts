import { applyWatchPatch, type NewWatch, type VapidKeys } from '../../domain/watch.ts'
import type { Alerts, Push, StoredAlert, UnseenWatch } from '../store.ts'
import { among, FOR_UPDATE, plain } from './dialect.ts'
import { lockedLogHead, lockWatchHead, requireOpen } from './heads.ts'
import { begin, first, type QueriesOf, type Query, rows, run, sql } from './query.ts'
import { findWatch, heldIfBlocked, insertWatch, updateWatch, type WatchRow, watchOf } from './watches.ts'

// Alerts without an account. The heads are locked first, in the order of every writer; with the
// watches' head, two that ask at once are counted one after the other.

export const alerts = {
  *add(watch, recipientHash, askedSince) {
    yield* begin()
    const { seq } = yield* lockedLogHead()
    yield* lockWatchHead()
    const asked = yield* run(
      sql`INSERT INTO alert_requests (recipient_hash, asked_at) VALUES (${recipientHash}, ${watch.createdAt})
          ON CONFLICT (recipient_hash) DO UPDATE SET asked_at = excluded.asked_at
          WHERE alert_requests.asked_at < ${askedSince}`,
    )
    if (asked === 0) return false
    yield* insertAlert(watch, recipientHash, null, seq)
    return true
  },

  *start(watch, recipientHash, max) {
    yield* begin()
    const { seq } = yield* lockedLogHead()
    yield* lockWatchHead()
    if ((yield* countHeld(recipientHash)) >= max) return false
    yield* insertAlert(watch, recipientHash, watch.createdAt, seq)
    return true
  },

  *setRecipient(watchId, recipientHash) {
    yield* run(sql`UPDATE alerts SET recipient_hash = ${recipientHash} WHERE watch_id = ${watchId}`)
  },

  *confirm(watchId, askedSince, max, now) {
    yield* begin()
    const { seq } = yield* lockedLogHead()
    yield* lockWatchHead()
    const alert = yield* first<{ recipient: string; created_at: number; confirmed_at: number | null }>(
      sql`SELECT recipient_hash AS recipient, created_at, confirmed_at FROM alerts
          WHERE watch_id = ${watchId} ${FOR_UPDATE}`,
    )
    if (alert === undefined) return null
    if (alert.confirmed_at !== null) return 'confirmed'
    if (alert.created_at < askedSince) return null
    if ((yield* countHeld(alert.recipient)) >= max) return 'too_many'
    yield* run(sql`UPDATE alerts SET confirmed_at = ${now} WHERE watch_id = ${watchId}`)
    yield* run(sql`DELETE FROM alert_requests WHERE recipient_hash = ${alert.recipient}`)
    const watch = (yield* findWatch(null, watchId))!
    // While the operator holds all alerts, this one waits as the others do.
    const confirmed = yield* heldIfBlocked(applyWatchPatch(watch, { status: 'active' }, now))
    yield* updateWatch({ ...confirmed, createdSeq: seq })
    return 'confirmed'
  },

  *find(watchId) {
    const row = yield* first<StoredAlert>(
      sql`SELECT watch_id AS "watchId", created_at AS "createdAt", confirmed_at AS "confirmedAt"
          FROM alerts WHERE watch_id = ${watchId}`,
    )
    return row ?? null
  },

  *toRemove(unconfirmedBefore, except, limit) {
    const found = yield* rows<{ id: string }>(
      sql`SELECT watch_id AS id FROM alerts WHERE confirmed_at IS NULL AND created_at < ${unconfirmedBefore}
          UNION
          SELECT watch_id FROM alerts JOIN watches ON watches.id = alerts.watch_id
          WHERE watches.status = 'disabled' AND watches.disabled_reason IS DISTINCT FROM ${except}
          LIMIT ${plain(limit)}`,
    )
    return found.map(({ id }) => id)
  },

  *forgetRequest(watchId) {
    yield* run(
      sql`DELETE FROM alert_requests
          WHERE recipient_hash = (SELECT recipient_hash FROM alerts WHERE watch_id = ${watchId})`,
    )
  },

  *deleteRequests(before) {
    yield* run(sql`DELETE FROM alert_requests WHERE asked_at < ${before}`)
  },
} satisfies QueriesOf<Alerts>

function* countHeld(recipientHash: string): Query<number> {
  const row = yield* first<{ held: number }>(
    sql`SELECT count(*) AS held FROM alerts WHERE recipient_hash = ${recipientHash} AND confirmed_at IS NOT NULL`,
  )
  return row!.held
}

function* insertAlert(
  watch: NewWatch,
  recipientHash: string,
  confirmedAt: number | null,
  createdSeq: number,
): Query<void> {
  yield* requireOpen(watch.accountId)
  yield* insertWatch({ ...watch, createdSeq, sequence: 0, failingSince: null })
  yield* run(
    sql`INSERT INTO alerts (watch_id, recipient_hash, created_at, confirmed_at)
        VALUES (${watch.id}, ${recipientHash}, ${watch.createdAt}, ${confirmedAt})`,
  )
}

export const push = {
  *keys({ publicKey, privateKey }) {
    yield* run(
      sql`INSERT INTO push_keys (single, public_key, private_key) VALUES (1, ${publicKey}, ${privateKey})
          ON CONFLICT DO NOTHING`,
    )
    return (yield* storedKeys())!
  },

  storedKeys: () => storedKeys(),

  *replaceKeys({ publicKey, privateKey }, after) {
    const changed = yield* after === null
      ? run(sql`DELETE FROM push_keys WHERE public_key = ${publicKey} AND private_key = ${privateKey}`)
      : run(
          sql`UPDATE push_keys SET public_key = ${after.publicKey}, private_key = ${after.privateKey}
              WHERE public_key = ${publicKey} AND private_key = ${privateKey}`,
        )
    return changed === 1
  },

  *recordSeen(shownAddress, now, notedBefore) {
    // Read first: most calls have nothing to note, and then wait for no other writer.
    const due = yield* rows<{ id: string }>(
      sql`SELECT watches.id FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
          WHERE watches.channel = 'webpush' AND watches.url = ${shownAddress}
            AND coalesce(watch_progress.seen_at, 0) < ${notedBefore}`,
    )
    if (due.length === 0) return 0
    return yield* run(
      sql`UPDATE watch_progress SET seen_at = ${now} WHERE watch_id ${among(due.map(({ id }) => id))}
            AND coalesce(seen_at, 0) < ${notedBefore}`,
    )
  },

  *watchesOf(shownAddress, limit) {
    const found = yield* rows<WatchRow>(
      sql`SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
          FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
          WHERE watches.channel = 'webpush' AND watches.url = ${shownAddress}
          ORDER BY watches.id
          LIMIT ${plain(limit)}`,
    )
    return found.map(watchOf)
  },

  unseen: (since, limit) =>
    rows<UnseenWatch>(
      sql`SELECT watches.id AS "watchId", watches.account_id AS "accountId", watches.url
          FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
          WHERE watches.channel = 'webpush' AND watches.status = 'active' AND watches.updated_at < ${since}
            AND coalesce(watch_progress.seen_at, 0) < ${since}
          ORDER BY watches.id
          LIMIT ${plain(limit)}`,
    ),
} satisfies QueriesOf<Push>

function* storedKeys(): Query<VapidKeys | null> {
  const stored = yield* first<VapidKeys>(
    sql`SELECT public_key AS "publicKey", private_key AS "privateKey" FROM push_keys`,
  )
  return stored ?? null
}
