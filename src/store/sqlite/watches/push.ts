import type { VapidKeys } from '../../../domain/channel.ts'
import type { Watch } from '../../../domain/watch.ts'
import type { UnseenWatch } from '../../interface/watches.ts'
import { type WatchRow, watchOf } from '../../shared/rows/watch-rows.ts'
import type { Database } from '../database.ts'

const KEYS = 'SELECT public_key AS publicKey, private_key AS privateKey FROM push_keys'

export function push(database: Database) {
  const stored = (): VapidKeys | null => {
    const row = database.get<VapidKeys>(KEYS)
    return row === undefined ? null : { ...row }
  }
  return {
    keys(proposed: VapidKeys): VapidKeys {
      return database.transaction(() => {
        database.run('INSERT INTO push_keys VALUES (1, ?, ?) ON CONFLICT DO NOTHING', [
          proposed.publicKey,
          proposed.privateKey,
        ])
        return stored()!
      })
    },

    storedKeys: stored,

    replaceKeys(before: VapidKeys, after: VapidKeys | null): boolean {
      const { publicKey, privateKey } = before
      const changed =
        after === null
          ? database.run('DELETE FROM push_keys WHERE public_key = ? AND private_key = ?', [publicKey, privateKey])
          : database.run(
              'UPDATE push_keys SET public_key = ?, private_key = ? WHERE public_key = ? AND private_key = ?',
              [after.publicKey, after.privateKey, publicKey, privateKey],
            )
      return changed === 1
    },

    recordSeen(shownAddress: string, now: number, notedBefore: number): number {
      // Read first: most calls have nothing to note, and then wait for no other writer.
      const due = database.all<{ id: string }>(
        `SELECT watches.id FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
         WHERE watches.channel = 'webpush' AND watches.url = ? AND coalesce(watch_progress.seen_at, 0) < ?`,
        [shownAddress, notedBefore],
      )
      if (due.length === 0) return 0
      return database.run('UPDATE watch_progress SET seen_at = ? WHERE watch_id IN (SELECT value FROM json_each(?))', [
        now,
        JSON.stringify(due.map(({ id }) => id)),
      ])
    },

    watchesOf(shownAddress: string, limit: number): Watch[] {
      return database
        .all<WatchRow>(
          `SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
           FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
           WHERE watches.channel = 'webpush' AND watches.url = ?
           ORDER BY watches.id
           LIMIT +?`,
          [shownAddress, limit],
        )
        .map(watchOf)
    },

    unseen(since: number, limit: number): UnseenWatch[] {
      return database
        .all<UnseenWatch>(
          `SELECT watches.id AS watchId, watches.account_id AS accountId, watches.url
           FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
           WHERE watches.channel = 'webpush' AND watches.status = 'active' AND watches.updated_at < ?1
             AND coalesce(watch_progress.seen_at, 0) < ?1
           ORDER BY watches.id
           LIMIT +?2`,
          [since, limit],
        )
        .map((row) => ({ ...row }))
    },
  }
}
