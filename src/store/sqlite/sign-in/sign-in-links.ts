import type { Session } from '../../../domain/accounts.ts'
import { type LinkRow, linkRefusal } from '../../shared/rows/sign-in-rows.ts'
import type { LinkRefusal, SignInLink } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { openSession } from './sessions.ts'

export function signInLinks(database: Database) {
  return {
    add({ tokenHash, accountId, mailed, createdAt, expiresAt }: SignInLink): void {
      database.run(
        'INSERT INTO sign_in_links (token_hash, account_id, mailed, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
        [tokenHash, accountId, mailed ? 1 : 0, createdAt, expiresAt],
      )
    },

    findAccountId(tokenHash: string): string | null {
      const sql = 'SELECT account_id FROM sign_in_links WHERE token_hash = ?'
      return database.get<{ account_id: string }>(sql, [tokenHash])?.account_id ?? null
    },

    redeem(tokenHash: string, session: Omit<Session, 'accountId'>, max: number): { accountId: string } | LinkRefusal {
      return database.transaction(() => {
        const now = session.createdAt
        const link = database.get<LinkRow>(
          `SELECT account_id, mailed, expires_at, used_at, status
           FROM sign_in_links JOIN accounts ON accounts.id = sign_in_links.account_id
           WHERE token_hash = ?`,
          [tokenHash],
        )
        const refusal = linkRefusal(link, now)
        if (refusal !== null) return refusal
        const { account_id: accountId, mailed } = link!
        database.run('UPDATE sign_in_links SET used_at = ? WHERE token_hash = ?', [now, tokenHash])
        if (mailed === 1)
          database.run('UPDATE accounts SET email_verified_at = coalesce(email_verified_at, ?) WHERE id = ?', [
            now,
            accountId,
          ])
        openSession(database, { ...session, accountId }, max)
        return { accountId }
      })
    },

    deleteExpired(before: number): void {
      database.run('DELETE FROM sign_in_links WHERE expires_at < ?', [before])
    },
  }
}
