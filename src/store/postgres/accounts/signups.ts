import { type SignupRow, signupOf } from '../../shared/rows.ts'
import type { Signups } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function signups(connection: PostgresConnection): Signups {
  return {
    /** Deletes expired signups too: unconfirmed e-mail addresses must not be kept. */
    async add(signup) {
      await connection.query(
        `WITH expired AS (DELETE FROM signups WHERE expires_at <= $4)
         INSERT INTO signups (token_hash, email, name, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
        [signup.tokenHash, signup.email, signup.name, signup.createdAt, signup.expiresAt],
      )
    },

    async consume(tokenHash, now) {
      const [row] = await connection.query<SignupRow>(
        `DELETE FROM signups WHERE token_hash = $1 AND expires_at > $2
         RETURNING token_hash, email, name, created_at, expires_at`,
        [tokenHash, now],
      )
      return row === undefined ? null : signupOf(row)
    },
  }
}
