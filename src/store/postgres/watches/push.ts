import type { VapidKeys } from '../../../domain/channel.ts'
import type { Push, UnseenWatch } from '../../interface/watches.ts'
import { type WatchRow, watchOf } from '../../shared/rows/watch-rows.ts'
import type { PostgresConnection } from '../connection.ts'

const KEYS = 'SELECT public_key AS "publicKey", private_key AS "privateKey" FROM push_keys'

export function push(connection: PostgresConnection): Push {
  const stored = async (): Promise<VapidKeys | null> => {
    const [row] = await connection.query<VapidKeys>(KEYS)
    return row ?? null
  }
  return {
    async keys({ publicKey, privateKey }) {
      await connection.query('INSERT INTO push_keys VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [publicKey, privateKey])
      return (await stored())!
    },

    storedKeys: stored,

    async replaceKeys(before, after) {
      const { publicKey, privateKey } = before
      const changed =
        after === null
          ? await connection.query(
              'DELETE FROM push_keys WHERE public_key = $1 AND private_key = $2 RETURNING single',
              [publicKey, privateKey],
            )
          : await connection.query(
              `UPDATE push_keys SET public_key = $3, private_key = $4
               WHERE public_key = $1 AND private_key = $2
               RETURNING single`,
              [publicKey, privateKey, after.publicKey, after.privateKey],
            )
      return changed.length === 1
    },

    async recordSeen(shownAddress, now, notedBefore) {
      const noted = await connection.query(
        `UPDATE watch_progress SET seen_at = $2
         FROM watches
         WHERE watches.id = watch_progress.watch_id AND watches.channel = 'webpush' AND watches.url = $1
           AND coalesce(watch_progress.seen_at, 0) < $3
         RETURNING watch_progress.watch_id`,
        [shownAddress, now, notedBefore],
      )
      return noted.length
    },

    async watchesOf(shownAddress, limit) {
      const rows = await connection.query<WatchRow>(
        `SELECT watches.*, watch_progress.sequence, watch_progress.failing_since
         FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
         WHERE watches.channel = 'webpush' AND watches.url = $1
         ORDER BY watches.id
         LIMIT $2`,
        [shownAddress, limit],
      )
      return rows.map(watchOf)
    },

    unseen(since, limit) {
      return connection.query<UnseenWatch>(
        `SELECT watches.id AS "watchId", watches.account_id AS "accountId", watches.url
         FROM watches JOIN watch_progress ON watch_progress.watch_id = watches.id
         WHERE watches.channel = 'webpush' AND watches.status = 'active' AND watches.updated_at < $1
           AND coalesce(watch_progress.seen_at, 0) < $1
         ORDER BY watches.id
         LIMIT $2`,
        [since, limit],
      )
    },
  }
}
