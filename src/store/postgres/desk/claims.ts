import { deskEntryOf } from '../../shared/rows/desk-rows.ts'
import type { Desk } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import { addHistoryEntries } from '../incidents/history.ts'
import { lockHead, writeEntries } from './entries.ts'

export function claims(connection: PostgresConnection): Pick<Desk, 'claim' | 'release' | 'claimCounts'> {
  return {
    claim({ incident, moderation, claim, takeOver }, now) {
      return connection.transaction(async (query) => {
        const { id } = incident
        const known = await query('SELECT 1 FROM desk_entries WHERE id = $1', [id])
        if (known.length === 0) await writeEntries(query, [deskEntryOf(incident, moderation, true)])
        const revision = await lockHead(query, 1)
        const claimed = await query(
          `UPDATE desk_entries SET claimed_by = $2, claim_name = $3, claimed_until = $4, revision = $5
           WHERE id = $1 AND ($7 = 1 OR claimed_by IS NULL OR claimed_by = $2 OR claimed_until <= $6)
           RETURNING id`,
          [id, claim.accountId, claim.name, claim.until, revision, now, takeOver === null ? 0 : 1],
        )
        if (claimed.length === 0) return false
        if (takeOver !== null) await addHistoryEntries(query, [{ incidentId: id, entry: takeOver.historyEntry }])
        return true
      })
    },

    async release(id, accountId) {
      await connection.transaction(async (query) => {
        const revision = await lockHead(query, 1)
        await query(
          `UPDATE desk_entries SET claimed_by = NULL, claim_name = NULL, claimed_until = NULL, revision = $3
           WHERE id = $1 AND claimed_by = $2`,
          [id, accountId, revision],
        )
      })
    },

    claimCounts(now) {
      return connection.query(
        `SELECT claimed_by AS "accountId", count(*) AS reports FROM desk_entries
         WHERE claimed_by IS NOT NULL AND claimed_until > $1 AND status = 'reported'
         GROUP BY claimed_by`,
        [now],
      )
    },
  }
}
