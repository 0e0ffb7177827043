import { type SignupRow, signupOf } from '../../shared/rows.ts'
import type { Signup } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function signups(database: Database) {
  return {
    /** Deletes expired signups too: unconfirmed e-mail addresses must not be kept. */
    add(signup: Signup): void {
      database.transaction(() => {
        database.run('DELETE FROM signups WHERE expires_at <= ?', [signup.createdAt])
        database.run('INSERT INTO signups (token_hash, email, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?)', [
          signup.tokenHash,
          signup.email,
          signup.name,
          signup.createdAt,
          signup.expiresAt,
        ])
      })
    },

    consume(tokenHash: string, now: number): Signup | null {
      const row = database.get<SignupRow>(
        'DELETE FROM signups WHERE token_hash = ? AND expires_at > ? RETURNING token_hash, email, name, created_at, expires_at',
        [tokenHash, now],
      )
      return row === undefined ? null : signupOf(row)
    },
  }
}
