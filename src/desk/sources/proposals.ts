import { Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { orderIncidentFields } from '../../domain/incident.ts'
import type { ProposedSource } from '../../domain/sources.ts'
import { timeText } from '../../lib/time.ts'
import type { IncidentChange, Store } from '../../store/store.ts'
import { loadReliability } from '../reports/receive-reports.ts'
import { queuedReport } from './take-item.ts'
import { changeIncident, checkDecidable, type Decision, historyEntryFor, type ModeratedIncident, notedChange, publicFields, type SaveChanges } from '../decision.ts'
import { assessIncident, priorAssessmentOf } from '../reports/build-incident.ts'

const MAX_SOURCES = 100

/** Adds the proposed source to the incident; its confidence follows. */
export function acceptProposal(
  incidentId: string,
  proposalId: string,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  return changeIncident(incidentId, store, save, async (current) => {
    const proposal = await openProposal(incidentId, proposalId, store)
    const { incident, moderation } = current
    checkDecidable(current, decision)
    if (incident.status !== 'reported' && incident.status !== 'confirmed')
      throw new Problem('not_in_this_state', `${incidentId} is ${incident.status}; it takes no further source.`)
    if (incident.sources.length >= MAX_SOURCES)
      throw new Problem('not_in_this_state', `${incidentId} has ${MAX_SOURCES} sources, the most there can be.`)
    const sources = [...incident.sources, ...proposal.report.incident.sources]
    const reliability = await loadReliability(store)
    const assessed = assessIncident({ ...incident, sources }, moderation, priorAssessmentOf(incident), reliability)
    const next = orderIncidentFields({
      ...assessed,
      updated_at: timeText(decision.now),
      version: incident.version + 1,
    })
    return [
      {
        incident: next,
        event: incident.status === 'confirmed' ? 'incident.updated' : null,
        replaces: { version: incident.version, status: incident.status },
        moderation,
        historyEntry: historyEntryFor('update', current, { incident: next, moderation }, decision, {
          fields: publicFields(incident, next),
        }),
        decides: { id: proposalId, state: 'accepted' },
      },
    ]
  })
}

/** The story tells of something else. With `queue` it becomes a report of its own. */
export function dismissProposal(
  incidentId: string,
  proposalId: string,
  queue: boolean,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  return changeIncident(incidentId, store, save, async (current) => {
    const proposal = await openProposal(incidentId, proposalId, store)
    checkDecidable(current, decision)
    return [
      { ...dismissedNote(current, proposal, decision), decides: { id: proposalId, state: 'dismissed' } },
      ...(queue ? [ownReport(proposal, decision)] : []),
    ]
  })
}

async function openProposal(incidentId: string, id: string, store: Store): Promise<ProposedSource> {
  const proposal = isIdentifier('proposal', id) ? await store.sources.findProposal(id) : null
  if (proposal === null || proposal.incidentId !== incidentId)
    throw new Problem('not_found', 'There is no such proposed source of this incident.')
  if (proposal.state !== 'open')
    throw new Problem('not_in_this_state', `The proposed source was ${proposal.state} already.`)
  return proposal
}

function dismissedNote(current: ModeratedIncident, { report }: ProposedSource, decision: Decision): IncidentChange {
  const [source] = report.incident.sources
  const note = decision.note ?? `Dismissed a story of ${source!.publisher} as a further source.`
  return notedChange(current, { ...decision, note })
}

function ownReport({ report }: ProposedSource, { by, now }: Decision): IncidentChange {
  const time = timeText(now)
  return queuedReport({ ...report, incident: { ...report.incident, reported_at: time, updated_at: time } }, by, now)
}
