import { useEffect, useState } from 'preact/hooks'
import { RequestError } from '../../../shared/parts/request.ts'
import { useStore } from '../../../shared/store.ts'
import type { DeskIncident } from '../../api/types.ts'
import { type Proposal, readProposalsOf } from '../../decisions/proposals.ts'
import { liveState } from '../../queue/live.ts'
import { ProposalCard } from './proposal-card.tsx'

/** Who leafs through the list quickly does not ask for every report on the way. */
const SETTLE_MS = 300

/** Stories of feeds that wait for a decision about this incident; nothing if there are none. */
export function ProposalsSection({ incident }: { incident: DeskIncident }) {
  const [proposals, setProposals] = useState<readonly Proposal[]>([])
  const [round, setRound] = useState(0)
  const isLive = useStore(liveState) === 'live'
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      try {
        const found = await readProposalsOf(incident.id)
        if (isCurrent) setProposals(found)
      } catch (error) {
        // The bar says that the connection is lost; they are read again with it.
        if (!(error instanceof RequestError)) throw error
        console.warn('Proposed sources could not be read:', error.message)
      }
    }
    const timer = setTimeout(() => void read(), SETTLE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [incident.id, incident.version, isLive, round])
  if (proposals.length === 0) return null
  return (
    <section class="duplicates some">
      <h2>
        Proposed sources
        <span class="count">{proposals.length}</span>
      </h2>
      <ul>
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <ProposalCard proposal={proposal} onDecided={() => setRound(round + 1)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
