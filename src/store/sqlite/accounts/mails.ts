import type { Database } from '../connection/database.ts'

export function mails(database: Database) {
  return {
    countMail(subject: string, day: string, max: number): boolean {
      // Without a row there is nothing to compare: the first would always count.
      if (max < 1) return false
      const counted = database.run(
        `INSERT INTO mails (day, subject, mails) VALUES (?1, ?2, 1)
         ON CONFLICT (day, subject) DO UPDATE SET mails = mails + 1 WHERE mails < ?3`,
        [day, subject, max],
      )
      return counted === 1
    },

    deleteBefore(day: string): void {
      database.run('DELETE FROM mails WHERE day < ?', [day])
    },
  }
}
