import type { Source } from '../../../src/domain/incident.ts'
import type { MatchReason } from '../../../src/domain/near-duplicates.ts'
import { request } from '../../shared/parts/request.ts'
import { incidentPath } from '../api/desk-api.ts'
import type { DeskIncident } from '../api/types.ts'
import { replaceRow } from '../queue/queue.ts'
import { noteIncident, readDetails } from '../report/details.ts'
import { showToast } from './toasts.ts'

/** A story of a feed that seems to tell of an incident that is known. */
export interface Proposal {
  readonly id: string
  readonly incident_id: string
  readonly state: string
  readonly proposed_at: string
  readonly score: number
  readonly reasons: readonly MatchReason[]
  readonly source: Source
  readonly summary: string
  readonly place: string
}

/** What an editor makes of a proposal, and what is said afterwards. */
export const PROPOSAL_MOVES = {
  accept: { path: 'accept', body: {}, label: 'Add as a source', done: 'The source was added.' },
  dismiss: { path: 'dismiss', body: {}, label: 'Dismiss', done: 'The proposal was dismissed.' },
  queue: {
    path: 'dismiss',
    body: { queue: true },
    label: 'Another incident: queue it',
    done: 'The story is in the queue as a report of its own.',
  },
} as const
export type ProposalMove = keyof typeof PROPOSAL_MOVES

export async function readProposalsOf(incidentId: string): Promise<readonly Proposal[]> {
  const { data } = await request<{ data: Proposal[] }>('GET', incidentPath(incidentId, 'proposed-sources'))
  return data.filter(({ state }) => state === 'open')
}

export async function decideProposal({ id, incident_id }: Proposal, move: ProposalMove): Promise<void> {
  const { path, body, done } = PROPOSAL_MOVES[move]
  const incident = await request<DeskIncident>('POST', incidentPath(incident_id, `proposed-sources/${id}/${path}`), {
    body,
  })
  noteIncident(incident)
  replaceRow(incident)
  showToast('done', done)
  await readDetails(incident_id, true)
}
