import { ownerOf } from '../../shared/rows/account-rows.ts'
import {
  type PasskeyRow,
  type PasskeyWithAccountRow,
  passkeyOf,
  passkeyValues,
} from '../../shared/rows/sign-in-rows.ts'
import type { Passkeys } from '../../store.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function passkeys(connection: PostgresConnection): Passkeys {
  return {
    add(passkey, max) {
      return connection.transaction(async (query) => {
        await lockAccount(query, passkey.accountId)
        await requireOpen(query, passkey.accountId)
        const [counted] = await query<{ held: number }>('SELECT count(*) AS held FROM passkeys WHERE account_id = $1', [
          passkey.accountId,
        ])
        if (counted!.held >= max) return 'too_many'
        const added = await query(
          `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up,
                                 created_at, last_used_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (credential_id) DO NOTHING
           RETURNING id`,
          passkeyValues(passkey),
        )
        return added.length === 1 ? true : 'known'
      })
    },

    async list(accountId) {
      const rows = await connection.query<PasskeyRow>('SELECT * FROM passkeys WHERE account_id = $1 ORDER BY id DESC', [
        accountId,
      ])
      return rows.map(passkeyOf)
    },

    async findByCredential(credentialId) {
      const [row] = await connection.query<PasskeyWithAccountRow>(
        `SELECT passkeys.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                accounts.limits AS account_limits, accounts.created_at AS account_created_at
         FROM passkeys JOIN accounts ON accounts.id = passkeys.account_id
         WHERE credential_id = $1`,
        [credentialId],
      )
      return row === undefined ? null : { passkey: passkeyOf(row), account: ownerOf(row) }
    },

    async recordUse(id, counter, now) {
      const used = await connection.query(
        `UPDATE passkeys SET counter = $2, last_used_at = greatest(last_used_at, $3)
         WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))
         RETURNING id`,
        [id, counter, now],
      )
      return used.length === 1
    },

    remove(accountId, id, now, kept) {
      return connection.transaction(async (query) => {
        const removed = await query('DELETE FROM passkeys WHERE account_id = $1 AND id = $2 RETURNING id', [
          accountId,
          id,
        ])
        if (removed.length === 0) return null
        const ended = await query<{ hash: string }>(
          `UPDATE sessions SET ended_at = $1
           WHERE account_id = $2 AND passkey_id = $3 AND ended_at IS NULL AND ($4::text IS NULL OR id <> $4)
           RETURNING hash`,
          [now, accountId, id, kept],
        )
        return ended.map(({ hash }) => hash)
      })
    },
  }
}
