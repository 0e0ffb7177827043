import type { OwnerHeartbeat } from '../../interface/deliveries.ts'
import type { Database } from '../database.ts'
import { bumpDueCounter } from './fan-out.ts'

export function owners(database: Database) {
  return {
    recordHeartbeat(owner: string): OwnerHeartbeat[] {
      return database.transaction(() => {
        database.run(
          `INSERT INTO owners (owner, beats) VALUES (?, 1)
           ON CONFLICT (owner) DO UPDATE SET beats = beats + 1`,
          [owner],
        )
        return database
          .all<OwnerHeartbeat>('SELECT owner, beats FROM owners ORDER BY owner')
          .map((heartbeat) => ({ ...heartbeat }))
      })
    },

    releaseLeases({ owner, beats }: OwnerHeartbeat, now: number): boolean {
      return database.transaction(() => {
        if (database.run('DELETE FROM owners WHERE owner = ? AND beats = ?', [owner, beats]) === 0) return false
        database.run('UPDATE fan_out SET owner = NULL WHERE owner = ?', [owner])
        database.run('UPDATE source_poller SET owner = NULL WHERE owner = ?', [owner])
        const freed = database.run('UPDATE deliveries SET lease_owner = NULL, due_at = ? WHERE lease_owner = ?', [
          now,
          owner,
        ])
        if (freed > 0) bumpDueCounter(database)
        return true
      })
    },
  }
}
