import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { momentText, percentText } from '../../../shared/format.ts'
import { decideProposal, PROPOSAL_MOVES, type Proposal, type ProposalMove } from '../../decisions/proposals.ts'
import { showRefusal } from '../../decisions/show-refusal.ts'
import { MatchReasons } from '../duplicates/match-reasons.tsx'
import { SourceName } from '../report/source-name.tsx'

interface ProposalCardProperties {
  readonly proposal: Proposal
  readonly onDecided: () => void
  readonly children?: ComponentChildren
}

/** One story, why it seems to be of the same incident, and what can be made of it. */
export function ProposalCard({ proposal, onDecided, children }: ProposalCardProperties) {
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
          <button
            key={move}
            type="button"
            class={`button small ${move === 'accept' ? 'primary' : ''}`}
            disabled={isSending}
            onClick={() => void decide(move)}
          >
            {PROPOSAL_MOVES[move].label}
          </button>
        ))}
        {children}
      </div>
    </div>
  )
}
