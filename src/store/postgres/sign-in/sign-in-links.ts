import { type LinkRow, linkRefusal } from '../../shared/rows/sign-in-rows.ts'
import type { SignInLinks } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import { openSession } from './sessions.ts'

export function signInLinks(connection: PostgresConnection): SignInLinks {
  return {
    async add({ tokenHash, accountId, mailed, createdAt, expiresAt }) {
      await connection.query(
        'INSERT INTO sign_in_links (token_hash, account_id, mailed, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
        [tokenHash, accountId, mailed ? 1 : 0, createdAt, expiresAt],
      )
    },

    async findAccountId(tokenHash) {
      const sql = 'SELECT account_id FROM sign_in_links WHERE token_hash = $1'
      const [link] = await connection.query<{ account_id: string }>(sql, [tokenHash])
      return link?.account_id ?? null
    },

    redeem(tokenHash, session, max) {
      return connection.transaction(async (query) => {
        const now = session.createdAt
        // The account before its links, as where an account is deleted.
        await query(
          `SELECT id FROM accounts WHERE id = (SELECT account_id FROM sign_in_links WHERE token_hash = $1)
           FOR NO KEY UPDATE`,
          [tokenHash],
        )
        const [link] = await query<LinkRow>(
          `SELECT account_id, mailed, expires_at, used_at, status
           FROM sign_in_links JOIN accounts ON accounts.id = sign_in_links.account_id
           WHERE token_hash = $1
           FOR UPDATE OF sign_in_links`,
          [tokenHash],
        )
        const refusal = linkRefusal(link, now)
        if (refusal !== null) return refusal
        const { account_id: accountId, mailed } = link!
        await query('UPDATE sign_in_links SET used_at = $1 WHERE token_hash = $2', [now, tokenHash])
        if (mailed === 1)
          await query('UPDATE accounts SET email_verified_at = coalesce(email_verified_at, $1) WHERE id = $2', [
            now,
            accountId,
          ])
        await openSession(query, { ...session, accountId }, max)
        return { accountId }
      })
    },

    async deleteExpired(before) {
      await connection.query('DELETE FROM sign_in_links WHERE expires_at < $1', [before])
    },
  }
}
