import type { Mails } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function mails(connection: PostgresConnection): Mails {
  return {
    async countMail(subject, day, max) {
      // Without a row there is nothing to compare: the first would always count.
      if (max < 1) return false
      const counted = await connection.query(
        `INSERT INTO mails (day, subject, mails) VALUES ($1, $2, 1)
         ON CONFLICT (day, subject) DO UPDATE SET mails = mails.mails + 1 WHERE mails.mails < $3
         RETURNING day`,
        [day, subject, max],
      )
      return counted.length === 1
    },

    async deleteBefore(day) {
      await connection.query('DELETE FROM mails WHERE day < $1', [day])
    },
  }
}
