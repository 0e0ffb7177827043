import type { Database } from '../database.ts'

export function backups(database: Database) {
  return {
    lastTakenAt(): number | null {
      return database.get<{ takenAt: number }>('SELECT taken_at AS takenAt FROM last_backup')?.takenAt ?? null
    },
  }
}
