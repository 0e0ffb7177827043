import type { Account } from '../../../domain/accounts.ts'
import type { Key } from '../../../domain/keys.ts'
import type { KeyCap, KeyPatch, KeyRefusal } from '../../accounts/accounts.ts'
import { type KeyRow, type KeyWithAccountRow, keyOf, keyWithAccountOf } from '../../shared/rows/account-rows.ts'
import type { Database } from '../connection/database.ts'
import { setEnvironmentKey } from './environment-key.ts'
import { insertKey } from './insert.ts'
import { requireOpen } from './require-open.ts'

const DAY_MS = 86_400_000

export function keys(database: Database) {
  return {
    add(key: Key, cap: KeyCap): true | KeyRefusal {
      return database.transaction(() => {
        const refusal = refusalOf(database, key, cap)
        if (refusal !== null) return refusal
        insertKey(database, key)
        return true
      })
    },

    findByHash(hash: string): { key: Key; account: Account } | null {
      const row = database.get<KeyWithAccountRow>(
        `SELECT keys.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                accounts.limits AS account_limits, accounts.created_at AS account_created_at
         FROM keys JOIN accounts ON accounts.id = keys.account_id
         WHERE keys.hash = +?`,
        [hash],
      )
      return row === undefined ? null : keyWithAccountOf(row)
    },

    find(id: string): Key | null {
      const row = database.get<KeyRow>('SELECT * FROM keys WHERE id = ?', [id])
      return row === undefined ? null : keyOf(row)
    },

    list(accountId: string | null, limit: number, before: string | null): Key[] {
      const page = { before, limit }
      const rows =
        accountId === null
          ? database.all<KeyRow>(
              'SELECT * FROM keys WHERE :before IS NULL OR id < :before ORDER BY id DESC LIMIT +:limit',
              page,
            )
          : database.all<KeyRow>(
              `SELECT * FROM keys WHERE account_id = :accountId AND (:before IS NULL OR id < :before)
               ORDER BY id DESC LIMIT +:limit`,
              { accountId, ...page },
            )
      return rows.map(keyOf)
    },

    countValid(accountId: string, now: number): number {
      return countsOf(database, accountId, now).valid
    },

    change(accountId: string, id: string, patch: KeyPatch): Key | null {
      const row = database.get<KeyRow>(
        `UPDATE keys SET name = CASE WHEN ?3 THEN ?4 ELSE name END, origins = coalesce(?5, origins)
         WHERE account_id = ?1 AND id = ?2 RETURNING *`,
        [
          accountId,
          id,
          patch.name === undefined ? 0 : 1,
          patch.name ?? null,
          patch.origins === undefined ? null : JSON.stringify(patch.origins),
        ],
      )
      return row === undefined ? null : keyOf(row)
    },

    revoke(accountId: string, id: string, now: number, last: 'allow' | 'refuse' = 'allow'): Key | 'last_key' | null {
      return database.transaction(() => {
        if (last === 'refuse' && isLastKey(database, accountId, id, now)) return 'last_key'
        const row = database.get<KeyRow>(
          'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE account_id = ? AND id = ? RETURNING *',
          [now, accountId, id],
        )
        return row === undefined ? null : keyOf(row)
      })
    },

    revokedSince(time: number): string[] {
      return database
        .all<{ hash: string }>(
          `SELECT hash FROM keys WHERE revoked_at >= ?1
           UNION
           SELECT keys.hash FROM accounts JOIN keys ON keys.account_id = accounts.id WHERE accounts.blocked_at >= ?1`,
          [time],
        )
        .map(({ hash }) => hash)
    },

    rotate(
      accountId: string,
      id: string,
      successor: Key,
      oldExpiresAt: number,
      cap: KeyCap,
    ): true | 'not_valid' | KeyRefusal {
      return database.transaction(() => {
        const old = database.get(
          `SELECT 1 FROM keys WHERE account_id = ? AND id = ? AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > ?)`,
          [accountId, id, successor.createdAt],
        )
        if (old === undefined) return 'not_valid'
        const refusal = refusalOf(database, successor, cap)
        if (refusal !== null) return refusal
        database.run('UPDATE keys SET expires_at = min(coalesce(expires_at, ?1), ?1) WHERE id = ?2', [oldExpiresAt, id])
        insertKey(database, successor)
        return true
      })
    },

    setEnvironmentKey(account: Account, key: Key, now: number): void {
      setEnvironmentKey(database, account, key, now)
    },

    deleteDead(before: number, limit: number): number {
      return database.run(
        `DELETE FROM keys WHERE id IN (
           SELECT id FROM keys WHERE (revoked_at < ?1 OR expires_at < ?1)
             AND NOT EXISTS (SELECT 1 FROM steps WHERE step = 'report' AND steps.key_id = keys.id)
           LIMIT +?2)`,
        [before, limit],
      )
    },
  }
}

interface KeyCounts {
  valid: number
  today: number
}

function countsOf(database: Database, accountId: string, now: number): KeyCounts {
  return database.get<KeyCounts>(
    `SELECT count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)) AS valid,
            count(*) FILTER (WHERE created_at > ?3) AS today
     FROM keys WHERE account_id = ?1`,
    [accountId, now, now - DAY_MS],
  )!
}

function refusalOf(database: Database, key: Key, cap: KeyCap): KeyRefusal | null {
  requireOpen(database, key.accountId)
  const { valid, today } = countsOf(database, key.accountId, key.createdAt)
  if (valid >= cap.valid) return 'too_many'
  return today >= cap.perDay ? 'too_many_today' : null
}

/** A publishable key does not count: it cannot create another. */
function isLastKey(database: Database, accountId: string, id: string, now: number): boolean {
  const valid = database.all<{ id: string }>(
    `SELECT id FROM keys WHERE account_id = ? AND kind = 'live' AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > ?) LIMIT 2`,
    [accountId, now],
  )
  return valid.length === 1 && valid[0]!.id === id
}
