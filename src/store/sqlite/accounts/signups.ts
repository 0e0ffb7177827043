import { type SignupRow, signupOf } from '../../shared/rows/account-rows.ts'
import type { Signup } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function signups(database: Database) {
  return {
    /** Deletes expired signups too: unconfirmed e-mail addresses must not be kept. */
    add(signup: Signup): void {
      database.transaction(() => {
        database.run('DELETE FROM signups WHERE expires_at <= ?', [signup.createdAt])
        database.run(
          'INSERT INTO signups (token_hash, purpose, email, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          [signup.tokenHash, signup.purpose, signup.email, signup.name, signup.createdAt, signup.expiresAt],
        )
      })
    },

    find(tokenHash: string, purpose: Signup['purpose'], now: number): Signup | null {
      const row = database.get<SignupRow>(
        'SELECT * FROM signups WHERE token_hash = ? AND purpose = ? AND expires_at > ?',
        [tokenHash, purpose, now],
      )
      return row === undefined ? null : signupOf(row)
    },

    consume(tokenHash: string, purpose: Signup['purpose'], now: number): Signup | null {
      const row = database.get<SignupRow>(
        'DELETE FROM signups WHERE token_hash = ? AND purpose = ? AND expires_at > ? RETURNING *',
        [tokenHash, purpose, now],
      )
      return row === undefined ? null : signupOf(row)
    },
  }
}
