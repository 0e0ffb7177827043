import type { Key } from '../../../domain/keys.ts'
import type { KeyCap, KeyRefusal } from '../../accounts/accounts.ts'
import { type KeyRow, type KeyWithAccountRow, keyOf, keyWithAccountOf } from '../../shared/rows/account-rows.ts'
import type { Keys } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { setEnvironmentKey } from './environment-key.ts'
import { insertKey } from './insert.ts'
import { lockAccount } from './lock-account.ts'
import { requireOpen } from './require-open.ts'

const DAY_MS = 86_400_000

export function keys(connection: PostgresConnection): Keys {
  return {
    add(key, cap) {
      return connection.transaction(async (query) => {
        await lockAccount(query, key.accountId)
        const refusal = await refusalOf(query, key, cap)
        if (refusal !== null) return refusal
        await insertKey(query, key)
        return true
      })
    },

    async findByHash(hash) {
      const [row] = await connection.query<KeyWithAccountRow>(
        `SELECT keys.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                accounts.limits AS account_limits, accounts.created_at AS account_created_at
         FROM keys JOIN accounts ON accounts.id = keys.account_id
         WHERE keys.hash = $1`,
        [hash],
      )
      return row === undefined ? null : keyWithAccountOf(row)
    },

    async find(id) {
      const [row] = await connection.query<KeyRow>('SELECT * FROM keys WHERE id = $1', [id])
      return row === undefined ? null : keyOf(row)
    },

    async list(accountId, limit, before) {
      const rows = await connection.query<KeyRow>(
        `SELECT * FROM keys WHERE ($1::text IS NULL OR account_id = $1) AND ($2::text IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3`,
        [accountId, before, limit],
      )
      return rows.map(keyOf)
    },

    async countValid(accountId, now) {
      return (await countsOf(connection.query, accountId, now)).valid
    },

    async change(accountId, id, patch) {
      const [row] = await connection.query<KeyRow>(
        `UPDATE keys SET name = CASE WHEN $3::int = 1 THEN $4::text ELSE name END, origins = coalesce($5::text, origins)
         WHERE account_id = $1 AND id = $2 RETURNING *`,
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

    revoke(accountId, id, now, last = 'allow') {
      return connection.transaction(async (query) => {
        await lockAccount(query, accountId)
        if (last === 'refuse' && (await isLastKey(query, accountId, id, now))) return 'last_key'
        const [row] = await query<KeyRow>(
          'UPDATE keys SET revoked_at = coalesce(revoked_at, $1) WHERE account_id = $2 AND id = $3 RETURNING *',
          [now, accountId, id],
        )
        return row === undefined ? null : keyOf(row)
      })
    },

    async revokedSince(time) {
      const rows = await connection.query<{ hash: string }>(
        `SELECT hash FROM keys WHERE revoked_at >= $1
         UNION
         SELECT keys.hash FROM accounts JOIN keys ON keys.account_id = accounts.id WHERE accounts.blocked_at >= $1`,
        [time],
      )
      return rows.map(({ hash }) => hash)
    },

    rotate(accountId, id, successor, oldExpiresAt, cap) {
      return connection.transaction(async (query) => {
        await lockAccount(query, accountId)
        const old = await query(
          `SELECT 1 FROM keys WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > $3)`,
          [accountId, id, successor.createdAt],
        )
        if (old.length === 0) return 'not_valid'
        const refusal = await refusalOf(query, successor, cap)
        if (refusal !== null) return refusal
        await query('UPDATE keys SET expires_at = least(expires_at, $1) WHERE id = $2', [oldExpiresAt, id])
        await insertKey(query, successor)
        return true
      })
    },

    setEnvironmentKey: (account, key, now) =>
      connection.transaction((query) => setEnvironmentKey(query, account, key, now)),

    async deleteDead(before, limit) {
      const deleted = await connection.query(
        `DELETE FROM keys WHERE id IN (
           SELECT id FROM keys WHERE (revoked_at < $1 OR expires_at < $1)
             AND NOT EXISTS (SELECT 1 FROM steps WHERE step = 'report' AND steps.key_id = keys.id)
           LIMIT $2)
         RETURNING id`,
        [before, limit],
      )
      return deleted.length
    },
  }
}

interface KeyCounts {
  valid: number
  today: number
}

async function countsOf(query: Query, accountId: string, now: number): Promise<KeyCounts> {
  const [counts] = await query<KeyCounts>(
    `SELECT count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)) AS valid,
            count(*) FILTER (WHERE created_at > $3) AS today
     FROM keys WHERE account_id = $1`,
    [accountId, now, now - DAY_MS],
  )
  return counts!
}

async function refusalOf(query: Query, key: Key, cap: KeyCap): Promise<KeyRefusal | null> {
  await requireOpen(query, key.accountId)
  const { valid, today } = await countsOf(query, key.accountId, key.createdAt)
  if (valid >= cap.valid) return 'too_many'
  return today >= cap.perDay ? 'too_many_today' : null
}

/** A publishable key does not count: it cannot create another. */
async function isLastKey(query: Query, accountId: string, id: string, now: number): Promise<boolean> {
  const valid = await query<{ id: string }>(
    `SELECT id FROM keys WHERE account_id = $1 AND kind = 'live' AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > $2) LIMIT 2`,
    [accountId, now],
  )
  return valid.length === 1 && valid[0]!.id === id
}
