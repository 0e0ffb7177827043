import { STATE_BEFORE } from '../../../domain/sources.ts'
import { type ProposalRow, proposalOf } from '../../shared/rows/source-rows.ts'
import type { DecidedProposal } from '../../shared/write-plan.ts'
import type { Sources } from '../../sources.ts'
import { StaleVersion } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'

type Proposals = Pick<Sources, 'findProposal' | 'proposalsFor' | 'openProposals'>

export function proposals(connection: PostgresConnection): Proposals {
  return {
    async findProposal(id) {
      const [row] = await connection.query<ProposalRow>('SELECT * FROM proposed_sources WHERE id = $1', [id])
      return row === undefined ? null : proposalOf(row)
    },

    async proposalsFor(incidentId) {
      const rows = await connection.query<ProposalRow>(
        'SELECT * FROM proposed_sources WHERE incident_id = $1 ORDER BY proposed_at, id',
        [incidentId],
      )
      return rows.map(proposalOf)
    },

    async openProposals(before, limit) {
      const rows = await connection.query<ProposalRow>(
        `SELECT * FROM proposed_sources
         WHERE state = 'open' AND ($2::text IS NULL OR (proposed_at, id) < ($1::bigint, $2::text))
         ORDER BY proposed_at DESC, id DESC LIMIT $3`,
        [before?.proposedAt ?? null, before?.id ?? null, limit],
      )
      return rows.map(proposalOf)
    },
  }
}

/** Runs within the caller's transaction. */
export async function decideProposals(query: Query, decided: readonly DecidedProposal[], now: number): Promise<void> {
  for (const { id, state, incidentId } of decided) {
    const changed = await query(
      'UPDATE proposed_sources SET state = $1, decided_at = $2 WHERE id = $3 AND state = $4 RETURNING id',
      [state, state === 'open' ? null : now, id, STATE_BEFORE[state]],
    )
    if (changed.length === 0) throw new StaleVersion(incidentId)
  }
}

/**
 * Runs within the caller's transaction: what stories about redacted incidents said is forgotten.
 */
export async function forgetStories(query: Query, incidentIds: readonly string[]): Promise<void> {
  await query('DELETE FROM proposed_sources WHERE incident_id = ANY ($1)', [incidentIds])
  await query(
    `DELETE FROM unplaced_stories
     WHERE item_id IN (SELECT item_id FROM source_item_incidents WHERE incident_id = ANY ($1))`,
    [incidentIds],
  )
  await query(
    `UPDATE source_items SET title = '', url = NULL
     WHERE id IN (SELECT item_id FROM source_item_incidents WHERE incident_id = ANY ($1))`,
    [incidentIds],
  )
}
