import { searchText } from '../../../src/domain/moderation.ts'
import { foldedWords } from '../../../src/lib/text.ts'
import type { DeskIncident } from '../api/types.ts'
import type { QueueFilter } from './filter.ts'

/** Whether an incident belongs to the list, as the service decides it. */
export function matchesFilter(incident: DeskIncident, filter: QueueFilter, me: string, now: number): boolean {
  if (incident.status !== filter.status) return false
  if (filter.origin !== null && incident.desk.origin !== filter.origin) return false
  const claimedBy = claimHolder(incident, now)
  if (filter.claimed === 'me' && claimedBy !== me) return false
  if (filter.claimed === 'none' && claimedBy !== null) return false
  return hasWords(incident, filter.words)
}

/** The account with a claim that has not lapsed. */
export function claimHolder({ desk: { claim } }: DeskIncident, now: number): string | null {
  return claim !== null && Date.parse(claim.until) > now ? claim.by.account_id : null
}

function hasWords(incident: DeskIncident, words: string): boolean {
  const present = searchText(incident)
  return foldedWords(words).every((word) => present.includes(` ${word}`))
}
