import type { ModerationRecord } from '../desk/moderation-record.ts'
import type { Incident } from '../incident.ts'
import type { MatchReason } from '../near-duplicate/near-duplicate.ts'

export const PROPOSAL_STATES = ['open', 'accepted', 'dismissed'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** A story that seems to tell of an incident that is known: an editor decides. */
export interface ProposedSource {
  readonly id: string
  readonly incidentId: string
  readonly itemId: string
  readonly state: ProposalState
  readonly proposedAt: number
  readonly decidedAt: number | null
  /** The probability that both are one event, and why. */
  readonly score: number
  readonly reasons: readonly MatchReason[]
  /** The report that the story would be by itself; its only source is the one proposed. */
  readonly report: ProposedReport
}

export interface ProposedReport {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** What an editor makes of a proposed source; `open` undoes that it was accepted. */
export interface ProposalDecision {
  readonly id: string
  readonly state: ProposalState
}

/** The state that a proposed source must have before it is decided on. */
export const STATE_BEFORE: Readonly<Record<ProposalState, ProposalState>> = {
  open: 'accepted',
  accepted: 'open',
  dismissed: 'open',
}
