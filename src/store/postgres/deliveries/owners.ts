import type { OwnerHeartbeat, Owners } from '../../interface/deliveries.ts'
import type { PostgresConnection } from '../connection.ts'
import { notifyDue } from './fan-out.ts'

export function owners(connection: PostgresConnection): Owners {
  return {
    recordHeartbeat(owner) {
      return connection.withConnection(async (query) => {
        await query(
          `INSERT INTO owners (owner, beats) VALUES ($1, 1)
           ON CONFLICT (owner) DO UPDATE SET beats = owners.beats + 1`,
          [owner],
        )
        return query<OwnerHeartbeat>('SELECT owner, beats FROM owners ORDER BY owner COLLATE "C"')
      })
    },

    releaseLeases({ owner, beats }, now) {
      return connection.transaction(async (query) => {
        const gone = await query('DELETE FROM owners WHERE owner = $1 AND beats = $2 RETURNING owner', [owner, beats])
        if (gone.length === 0) return false
        await query('UPDATE fan_out SET owner = NULL WHERE owner = $1', [owner])
        await query('UPDATE source_poller SET owner = NULL WHERE owner = $1', [owner])
        // The same order as in `recordAttempts`, to prevent deadlocks.
        const freed = await query(
          `UPDATE deliveries SET lease_owner = NULL, due_at = $2
           WHERE id = ANY (ARRAY(SELECT id FROM deliveries WHERE lease_owner = $1 ORDER BY id FOR UPDATE))
           RETURNING id`,
          [owner, now],
        )
        if (freed.length > 0) await notifyDue(query)
        return true
      })
    },
  }
}
