import type { Challenges } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function challenges(connection: PostgresConnection): Challenges {
  return {
    async add({ hash, accountId, expiresAt }, now) {
      await connection.query(
        `WITH expired AS (DELETE FROM challenges WHERE expires_at <= $4)
         INSERT INTO challenges (hash, account_id, expires_at) VALUES ($1, $2, $3)`,
        [hash, accountId, expiresAt, now],
      )
    },

    async consume(hash, accountId, now) {
      const consumed = await connection.query(
        `DELETE FROM challenges
         WHERE hash = $1 AND account_id IS NOT DISTINCT FROM $2 AND expires_at > $3
         RETURNING hash`,
        [hash, accountId, now],
      )
      return consumed.length === 1
    },
  }
}
