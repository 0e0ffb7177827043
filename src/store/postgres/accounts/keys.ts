import type { Key } from '../../../domain/key.ts'
import { type KeyRow, type KeyWithAccountRow, keyOf, keyValues, keyWithAccountOf } from '../../shared/rows.ts'
import type { Keys } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'

export function keys(connection: PostgresConnection): Keys {
  return {
    add: (key) => insertKey(connection.query, key),

    async findByHash(hash) {
      const [row] = await connection.query<KeyWithAccountRow>(
        `SELECT keys.*, accounts.email AS account_email, accounts.name AS account_name,
                accounts.created_at AS account_created_at
         FROM keys JOIN accounts ON accounts.id = keys.account_id
         WHERE keys.hash = $1`,
        [hash],
      )
      return row === undefined ? null : keyWithAccountOf(row)
    },

    async list(accountId) {
      const rows = await connection.query<KeyRow>(
        'SELECT * FROM keys WHERE account_id = $1 ORDER BY created_at DESC, id DESC',
        [accountId],
      )
      return rows.map(keyOf)
    },

    async revoke(accountId, id, now) {
      const [row] = await connection.query<KeyRow>(
        'UPDATE keys SET revoked_at = coalesce(revoked_at, $1) WHERE account_id = $2 AND id = $3 RETURNING *',
        [now, accountId, id],
      )
      return row === undefined ? null : keyOf(row)
    },

    async revokedSince(time) {
      const rows = await connection.query<{ hash: string }>('SELECT hash FROM keys WHERE revoked_at >= $1', [time])
      return rows.map(({ hash }) => hash)
    },

    rotate(accountId, id, successor, oldExpiresAt, now) {
      return connection.transaction(async (query) => {
        const expired = await query(
          `UPDATE keys SET expires_at = least(expires_at, $3)
           WHERE account_id = $1 AND id = $2
             AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > $4)
           RETURNING id`,
          [accountId, id, oldExpiresAt, now],
        )
        if (expired.length === 0) return false
        await insertKey(query, successor)
        return true
      })
    },
  }
}

export async function insertKey(query: Query, key: Key): Promise<void> {
  await query(
    `INSERT INTO keys (id, account_id, kind, name, hash, hint, scopes, origins, rate_per_minute,
                       created_at, expires_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    keyValues(key),
  )
}
