import { type SignupRow, signupOf } from '../../shared/rows/account-rows.ts'
import type { Signups } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function signups(connection: PostgresConnection): Signups {
  return {
    /** Deletes expired signups too: unconfirmed e-mail addresses must not be kept. */
    async add(signup) {
      await connection.query(
        `WITH expired AS (DELETE FROM signups WHERE expires_at <= $5)
         INSERT INTO signups (token_hash, purpose, email, name, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
        [signup.tokenHash, signup.purpose, signup.email, signup.name, signup.createdAt, signup.expiresAt],
      )
    },

    async find(tokenHash, purpose, now) {
      const [row] = await connection.query<SignupRow>(
        'SELECT * FROM signups WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3',
        [tokenHash, purpose, now],
      )
      return row === undefined ? null : signupOf(row)
    },

    async consume(tokenHash, purpose, now) {
      const [row] = await connection.query<SignupRow>(
        'DELETE FROM signups WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING *',
        [tokenHash, purpose, now],
      )
      return row === undefined ? null : signupOf(row)
    },
  }
}
