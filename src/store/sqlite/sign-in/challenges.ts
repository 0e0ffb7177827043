import type { Challenge } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function challenges(database: Database) {
  return {
    add({ hash, accountId, expiresAt }: Challenge, now: number): void {
      database.transaction(() => {
        database.run('DELETE FROM challenges WHERE expires_at <= ?', [now])
        database.run('INSERT INTO challenges (hash, account_id, expires_at) VALUES (?, ?, ?)', [
          hash,
          accountId,
          expiresAt,
        ])
      })
    },

    consume(hash: string, accountId: string | null, now: number): boolean {
      const consumed = database.run('DELETE FROM challenges WHERE hash = ? AND account_id IS ? AND expires_at > ?', [
        hash,
        accountId,
        now,
      ])
      return consumed === 1
    },
  }
}
