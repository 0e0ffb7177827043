import { usePages } from '../../../shared/parts/load-pages.ts'
import { PageFoot } from '../../../shared/parts/page-foot.tsx'
import type { Proposal } from '../../decisions/proposals.ts'
import { isReportOpen } from '../../panels.ts'
import { openReport } from '../../report/current.ts'
import { view } from '../../view.ts'
import { ProposalCard } from './proposal-card.tsx'

/** All stories that wait to be added to an incident that is known. */
export function ProposalsView() {
  const list = usePages<Proposal>('/v1/desk/proposed-sources', {})
  const open = (id: string) => {
    openReport(id)
    isReportOpen.set(true)
    view.set('queue')
  }
  return (
    <main class="admin">
      <h1>Proposed sources</h1>
      <p class="quiet">
        Stories from feeds that seem to tell of an incident that is known. A source more raises its confidence.
      </p>
      <ul class="proposals">
        {list.items.map((proposal) => (
          <li key={proposal.id}>
            <ProposalCard proposal={proposal} onDecided={list.reload}>
              <button type="button" class="text-button" onClick={() => open(proposal.incident_id)}>
                Open the incident
              </button>
            </ProposalCard>
          </li>
        ))}
      </ul>
      <PageFoot list={list} empty="Nothing waits for a decision." />
    </main>
  )
}
