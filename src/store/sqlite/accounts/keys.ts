import type { Account, Key } from '../../../domain/key.ts'
import { type KeyRow, type KeyWithAccountRow, keyOf, keyValues, keyWithAccountOf } from '../../shared/rows.ts'
import type { Database } from '../connection/database.ts'

export function keys(database: Database) {
  return {
    add(key: Key): void {
      insertKey(database, key)
    },

    findByHash(hash: string): { key: Key; account: Account } | null {
      const row = database.get<KeyWithAccountRow>(
        `SELECT keys.*, accounts.email AS account_email, accounts.name AS account_name,
                accounts.created_at AS account_created_at
         FROM keys JOIN accounts ON accounts.id = keys.account_id
         WHERE keys.hash = ?`,
        [hash],
      )
      return row === undefined ? null : keyWithAccountOf(row)
    },

    list(accountId: string): Key[] {
      const rows = database.all<KeyRow>('SELECT * FROM keys WHERE account_id = ? ORDER BY created_at DESC, id DESC', [
        accountId,
      ])
      return rows.map(keyOf)
    },

    revoke(accountId: string, id: string, now: number): Key | null {
      const row = database.get<KeyRow>(
        'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE account_id = ? AND id = ? RETURNING *',
        [now, accountId, id],
      )
      return row === undefined ? null : keyOf(row)
    },

    revokedSince(time: number): string[] {
      return database
        .all<{ hash: string }>('SELECT hash FROM keys WHERE revoked_at >= ?', [time])
        .map(({ hash }) => hash)
    },

    rotate(accountId: string, id: string, successor: Key, oldExpiresAt: number, now: number): boolean {
      return database.transaction(() => {
        const expired = database.run(
          `UPDATE keys SET expires_at = min(coalesce(expires_at, :oldExpiresAt), :oldExpiresAt)
           WHERE account_id = :accountId AND id = :id
             AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > :now)`,
          { accountId, id, oldExpiresAt, now },
        )
        if (expired === 0) return false
        insertKey(database, successor)
        return true
      })
    },
  }
}

export function insertKey(database: Database, key: Key): void {
  database.run(
    `INSERT INTO keys (id, account_id, kind, name, hash, hint, scopes, origins, rate_per_minute,
                       created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    keyValues(key),
  )
}
