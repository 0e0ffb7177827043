import { deskEntryOf } from '../../shared/rows/desk-rows.ts'
import type { DeskClaim } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { addHistoryEntry } from '../incidents/history.ts'
import { nextRevision, writeEntries } from './entries.ts'

export function claims(database: Database) {
  return {
    claim({ incident, moderation, claim, takeOver }: DeskClaim, now: number): boolean {
      return database.transaction(() => {
        const { id } = incident
        if (database.get('SELECT 1 FROM desk_entries WHERE id = ?', [id]) === undefined)
          writeEntries(database, [deskEntryOf(incident, moderation, true)])
        const claimed = database.run(
          `UPDATE desk_entries SET claimed_by = :accountId, claim_name = :name, claimed_until = :until, revision = :revision
           WHERE id = :id AND (:takeOver = 1 OR claimed_by IS NULL OR claimed_by = :accountId OR claimed_until <= :now)`,
          { id, ...claim, now, takeOver: takeOver === null ? 0 : 1, revision: nextRevision(database) },
        )
        if (claimed === 0) return false
        if (takeOver !== null) addHistoryEntry(database, { incidentId: id, entry: takeOver.historyEntry })
        return true
      })
    },

    release(id: string, accountId: string): void {
      database.transaction(() => {
        const held = database.get('SELECT 1 FROM desk_entries WHERE id = ? AND claimed_by = ?', [id, accountId])
        if (held === undefined) return
        database.run(
          `UPDATE desk_entries SET claimed_by = NULL, claim_name = NULL, claimed_until = NULL, revision = ?
           WHERE id = ?`,
          [nextRevision(database), id],
        )
      })
    },

    claimCounts(now: number): { accountId: string; reports: number }[] {
      return database
        .all<{ accountId: string; reports: number }>(
          `SELECT claimed_by AS accountId, count(*) AS reports FROM desk_entries
           WHERE claimed_by IS NOT NULL AND claimed_until > ? AND status = 'reported'
           GROUP BY claimed_by`,
          [now],
        )
        .map((row) => ({ ...row }))
    },
  }
}
