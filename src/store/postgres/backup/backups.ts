import type { Backups } from '../../store.ts'
import type { PostgresConnection } from '../connection.ts'

export function backups(connection: PostgresConnection): Backups {
  return {
    async lastTakenAt() {
      const [row] = await connection.query<{ takenAt: number }>('SELECT taken_at AS "takenAt" FROM last_backup')
      return row?.takenAt ?? null
    },
  }
}
