import { type SignupRow, signupOf } from '../../shared/rows.ts'
import type { Signups } from '../../store.ts'
import type { Connection } from '../connection/connection.ts'

export function signups(connection: Connection): Signups {
  return {
    /** Drops the expired ones too: an address nobody confirmed is not ours to keep. */
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
