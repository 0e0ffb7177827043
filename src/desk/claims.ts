import { Problem } from '../domain/errors.ts'
import { CLAIM_MS, type Claim, liveClaim } from '../domain/moderation.ts'
import type { Store, WritableStore } from '../store/store.ts'
import { checkClaim, type Decision, loadIncident, type ModeratedIncident, newHistoryEntry } from './decision.ts'

/** Gets the incident as it will be; returns the store that writes the claim, with the answer. */
type Answered = (state: ModeratedIncident) => Promise<Pick<WritableStore, 'desk'>>

/** Claims an incident for the account of the decision. */
export async function claimIncident(
  id: string,
  takesOver: boolean,
  decision: Decision,
  store: Store,
  answered: Answered,
): Promise<void> {
  const { by, now } = decision
  const current = await loadIncident(id, store)
  const { incident, moderation } = current
  const claim: Claim = { accountId: accountOf(decision), name: by.name, until: now + CLAIM_MS }
  const holder = liveClaim(current.claim, now)
  const isTaken = holder !== null && holder.accountId !== claim.accountId
  if (isTaken && !takesOver) checkClaim(current, claim.accountId, now)
  const note = isTaken ? `The claim of ${holder.name} was taken over.` : null
  const takeOver = isTaken
    ? { historyEntry: newHistoryEntry('take_over', incident.version, { ...decision, note }) }
    : null
  const { desk } = await answered({ incident, moderation, claim })
  if (await desk.claim({ incident, moderation, claim, takeOver }, now)) return
  // Another editor was faster.
  checkClaim(await loadIncident(id, store), claim.accountId, now)
  throw new Problem('claimed_by_another', `Another editor has claimed ${id} at the same moment. Read it again.`)
}

/** Ends the account's claim; one that has lapsed or is not there is nothing to end. */
export async function releaseIncident(id: string, decision: Decision, store: Store, answered: Answered): Promise<void> {
  const current = await loadIncident(id, store)
  checkClaim(current, accountOf(decision), decision.now)
  const { desk } = await answered({ ...current, claim: null })
  await desk.release(id, accountOf(decision))
}

function accountOf({ by }: Decision): string {
  if (by.account_id === null) throw new TypeError('a claim needs an account')
  return by.account_id
}
