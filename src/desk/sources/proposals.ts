import { Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { ProposedSource } from '../../domain/sources.ts'
import { timeText } from '../../lib/time.ts'
import type { Store } from '../../store/store.ts'
import { type ComputeChanges, checkDecidable, contentChange, isOpen, keepNote } from '../decision.ts'
import { assessIncident, loadReliability, priorAssessmentOf } from '../reports/build-incident.ts'
import { queuedReport } from './take-item.ts'

const MAX_SOURCES = 100

/** Adds the proposed source to the incident; its confidence follows. */
export function acceptProposal(proposalId: string): ComputeChanges {
  return async (current, decision, store) => {
    const { incident, moderation } = current
    const proposal = await openProposal(incident.id, proposalId, store)
    checkDecidable(current, decision)
    if (!isOpen(incident))
      throw new Problem('not_in_this_state', `${incident.id} is ${incident.status}; it takes no further source.`)
    if (incident.sources.length >= MAX_SOURCES)
      throw new Problem('not_in_this_state', `${incident.id} has ${MAX_SOURCES} sources, the most there can be.`)
    const sources = [...incident.sources, ...proposal.report.incident.sources]
    const reliability = await loadReliability(store)
    const assessed = assessIncident({ ...incident, sources }, moderation, priorAssessmentOf(incident), reliability)
    const change = contentChange('update', current, { incident: assessed, moderation }, decision)
    return [{ ...change, decides: { id: proposalId, state: 'accepted' } }]
  }
}

/** The story tells of something else. With `queue` it becomes a report of its own. */
export function dismissProposal(proposalId: string, queue: boolean): ComputeChanges {
  return async (current, decision, store) => {
    const { report } = await openProposal(current.incident.id, proposalId, store)
    checkDecidable(current, decision)
    const publisher = report.incident.sources[0]!.publisher
    const note = decision.note ?? `Dismissed a story of ${publisher} as a further source.`
    const [dismissed] = keepNote(current, { ...decision, note })
    const time = timeText(decision.now)
    const own = { ...report, incident: { ...report.incident, reported_at: time, updated_at: time } }
    return [
      { ...dismissed!, decides: { id: proposalId, state: 'dismissed' } },
      ...(queue ? [queuedReport(own, decision.by, decision.now)] : []),
    ]
  }
}

async function openProposal(incidentId: string, id: string, store: Store): Promise<ProposedSource> {
  const proposal = isIdentifier('proposal', id) ? await store.sources.findProposal(id) : null
  if (proposal === null || proposal.incidentId !== incidentId)
    throw new Problem('not_found', 'There is no such proposed source of this incident.')
  if (proposal.state !== 'open')
    throw new Problem('not_in_this_state', `The proposed source was ${proposal.state} already.`)
  return proposal
}
