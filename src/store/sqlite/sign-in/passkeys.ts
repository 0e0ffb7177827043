import type { Account, Passkey } from '../../../domain/accounts.ts'
import { ownerOf } from '../../shared/rows/account-rows.ts'
import {
  type PasskeyRow,
  type PasskeyWithAccountRow,
  passkeyOf,
  passkeyValues,
} from '../../shared/rows/sign-in-rows.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { Database } from '../connection/database.ts'

export function passkeys(database: Database) {
  return {
    add(passkey: Passkey, max: number): true | 'too_many' | 'known' {
      return database.transaction(() => {
        requireOpen(database, passkey.accountId)
        const { held } = database.get<{ held: number }>('SELECT count(*) AS held FROM passkeys WHERE account_id = ?', [
          passkey.accountId,
        ])!
        if (held >= max) return 'too_many'
        const added = database.run(
          `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up,
                                 created_at, last_used_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (credential_id) DO NOTHING`,
          passkeyValues(passkey),
        )
        return added === 1 ? true : 'known'
      })
    },

    list(accountId: string): Passkey[] {
      return database
        .all<PasskeyRow>('SELECT * FROM passkeys WHERE account_id = ? ORDER BY id DESC', [accountId])
        .map(passkeyOf)
    },

    findByCredential(credentialId: string): { passkey: Passkey; account: Account } | null {
      const row = database.get<PasskeyWithAccountRow>(
        `SELECT passkeys.*, accounts.email AS account_email, accounts.email_verified_at AS account_email_verified_at,
                accounts.name AS account_name, accounts.role AS account_role, accounts.status AS account_status,
                accounts.limits AS account_limits, accounts.created_at AS account_created_at
         FROM passkeys JOIN accounts ON accounts.id = passkeys.account_id
         WHERE credential_id = ?`,
        [credentialId],
      )
      return row === undefined ? null : { passkey: passkeyOf(row), account: ownerOf(row) }
    },

    recordUse(id: string, counter: number, now: number): boolean {
      const used = database.run(
        `UPDATE passkeys SET counter = ?2, last_used_at = max(coalesce(last_used_at, 0), ?3)
         WHERE id = ?1 AND (counter < ?2 OR (counter = 0 AND ?2 = 0))`,
        [id, counter, now],
      )
      return used === 1
    },

    remove(accountId: string, id: string, now: number, kept: string | null): string[] | null {
      return database.transaction(() => {
        if (database.run('DELETE FROM passkeys WHERE account_id = ? AND id = ?', [accountId, id]) === 0) return null
        return database
          .all<{ hash: string }>(
            `UPDATE sessions SET ended_at = ?1
             WHERE account_id = ?2 AND passkey_id = ?3 AND ended_at IS NULL AND (?4 IS NULL OR id <> ?4)
             RETURNING hash`,
            [now, accountId, id, kept],
          )
          .map(({ hash }) => hash)
      })
    },
  }
}
