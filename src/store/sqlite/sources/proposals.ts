import { type ProposedSource, STATE_BEFORE } from '../../../domain/sources.ts'
import { type ProposalRow, proposalOf } from '../../shared/rows/source-rows.ts'
import type { DecidedProposal } from '../../shared/write-plan.ts'
import type { ProposalPosition } from '../../sources.ts'
import { StaleVersion } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function proposals(database: Database) {
  return {
    findProposal(id: string): ProposedSource | null {
      const row = database.get<ProposalRow>('SELECT * FROM proposed_sources WHERE id = ?', [id])
      return row === undefined ? null : proposalOf(row)
    },

    proposalsFor(incidentId: string): ProposedSource[] {
      return database
        .all<ProposalRow>('SELECT * FROM proposed_sources WHERE incident_id = ? ORDER BY proposed_at, id', [incidentId])
        .map(proposalOf)
    },

    openProposals(before: ProposalPosition | null, limit: number): ProposedSource[] {
      return database
        .all<ProposalRow>(
          `SELECT * FROM proposed_sources
           WHERE state = 'open' AND (:id IS NULL OR (proposed_at, id) < (:proposedAt, :id))
           ORDER BY proposed_at DESC, id DESC LIMIT +:limit`,
          { proposedAt: before?.proposedAt ?? null, id: before?.id ?? null, limit },
        )
        .map(proposalOf)
    },
  }
}

/** Runs within the caller's transaction. */
export function decideProposals(database: Database, decided: readonly DecidedProposal[], now: number): void {
  for (const { id, state, incidentId } of decided) {
    const changed = database.run('UPDATE proposed_sources SET state = ?, decided_at = ? WHERE id = ? AND state = ?', [
      state,
      state === 'open' ? null : now,
      id,
      STATE_BEFORE[state],
    ])
    if (changed === 0) throw new StaleVersion(incidentId)
  }
}

/**
 * Runs within the caller's transaction: what stories about redacted incidents said is forgotten.
 */
export function forgetStories(database: Database, incidentIds: readonly string[]): void {
  const ids = JSON.stringify(incidentIds)
  database.run('DELETE FROM proposed_sources WHERE incident_id IN (SELECT value FROM json_each(?))', [ids])
  database.run(
    `DELETE FROM unplaced_stories WHERE item_id IN (
       SELECT item_id FROM source_item_incidents WHERE incident_id IN (SELECT value FROM json_each(?)))`,
    [ids],
  )
  database.run(
    `UPDATE source_items SET title = '', url = NULL WHERE id IN (
       SELECT item_id FROM source_item_incidents WHERE incident_id IN (SELECT value FROM json_each(?)))`,
    [ids],
  )
}
