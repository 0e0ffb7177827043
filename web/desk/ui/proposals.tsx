import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Source } from '../../../client/src/generated/types.ts'
import type { MatchReason } from '../../../src/domain/near-duplicates.ts'
import { Button, PageFoot, usePages } from '../../shared/parts/controls.tsx'
import { RequestError, request } from '../../shared/parts/request.ts'
import { useStore } from '../../shared/store.ts'
import { momentText, percentText } from '../../shared/text.ts'
import { type DeskIncident, incidentPath, listOf } from '../desk-api.ts'
import { liveState } from '../live.ts'
import { replaceRow } from '../queue.ts'
import { noteIncident, readDetails } from '../report.ts'
import { showRefusal, showToast } from '../toasts.tsx'
import { showReport } from '../view.ts'
import { MatchReasons } from './duplicates.tsx'
import { SourceName } from './report-sections.tsx'

/** A story of a feed that seems to tell of an incident that is known. */
interface Proposal {
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

/** An editor's answers to a proposal, and what is said afterwards. */
const PROPOSAL_MOVES = {
  accept: { path: 'accept', body: {}, label: 'Add as a source', done: 'The source was added.' },
  dismiss: { path: 'dismiss', body: {}, label: 'Dismiss', done: 'The proposal was dismissed.' },
  queue: {
    path: 'dismiss',
    body: { queue: true },
    label: 'Another incident: queue it',
    done: 'The story is in the queue as a report of its own.',
  },
} as const
type ProposalMove = keyof typeof PROPOSAL_MOVES

async function decideProposal({ id, incident_id }: Proposal, move: ProposalMove): Promise<void> {
  const { path, body, done } = PROPOSAL_MOVES[move]
  const address = incidentPath(incident_id, `proposed-sources/${id}/${path}`)
  const incident = await request<DeskIncident>('POST', address, { body })
  noteIncident(incident)
  replaceRow(incident)
  showToast('done', done)
  await readDetails(incident_id, true)
}

/** All stories that wait to be added to an incident that is known. */
export function ProposalsView() {
  const list = usePages<Proposal>('/v1/desk/proposed-sources', {})
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
              <Button class="text-button" label="Open the incident" onClick={() => showReport(proposal.incident_id)} />
            </ProposalCard>
          </li>
        ))}
      </ul>
      <PageFoot list={list} empty="Nothing waits for a decision." />
    </main>
  )
}

/** Leafing through the list quickly asks for no report on the way. */
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
        const found = await listOf<Proposal>(incident.id, 'proposed-sources')
        if (isCurrent) setProposals(found.filter(({ state }) => state === 'open'))
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

interface ProposalCardProperties {
  readonly proposal: Proposal
  readonly onDecided: () => void
  readonly children?: ComponentChildren
}

/** One story, why it seems to be of the same incident, and what can be made of it. */
function ProposalCard({ proposal, onDecided, children }: ProposalCardProperties) {
  const [isSending, setSending] = useState(false)
  const decide = async (move: ProposalMove) => {
    setSending(true)
    await showRefusal(decideProposal(proposal, move))
    setSending(false)
    onDecided()
  }
  return (
    <div class="candidate">
      <p class="candidate-head">
        <SourceName source={proposal.source} />
        <span class="quiet">
          {momentText(proposal.proposed_at)}, {percentText(proposal.score)} alike
        </span>
      </p>
      <p class="candidate-summary">
        {proposal.summary} <span class="quiet">{proposal.place}</span>
      </p>
      <MatchReasons reasons={proposal.reasons} />
      <div class="row-of-buttons">
        {(Object.keys(PROPOSAL_MOVES) as ProposalMove[]).map((move) => (
          <Button
            class={`button small ${move === 'accept' ? 'primary' : ''}`}
            label={PROPOSAL_MOVES[move].label}
            key={move}
            disabled={isSending}
            onClick={() => void decide(move)}
          />
        ))}
        {children}
      </div>
    </div>
  )
}
