import type { FieldError } from '../../domain/errors.ts'
import { TIP_ACTOR } from '../../domain/tips.ts'
import type { Geography } from '../../geo/geography.ts'
import type { Store, TipSubmission } from '../../store/store.ts'
import { reportChanges } from '../reports/receive-reports.ts'
import { type Challenge, referenceHashOf, type TipChallenges } from './challenges.ts'
import { readTip, type TipContent } from './read-tip.ts'

export interface TipParts {
  readonly store: Store
  readonly geography: Geography
  readonly challenges: TipChallenges
  readonly now: number
  /** Counts the submission; throws if too many were sent. */
  readonly admit: () => Promise<void>
}

export type TipOutcome =
  | { readonly outcome: 'received'; readonly reference: string }
  /** The challenge was answered before, with other content. */
  | { readonly outcome: 'used'; readonly reference: string }
  | { readonly outcome: 'wrong'; readonly errors: readonly FieldError[] }

/**
 * Stores a tip as a report for the desk. Sent twice, it is stored once and gets the same answer.
 */
export async function receiveTip(parts: TipParts, challenge: Challenge, tip: TipContent): Promise<TipOutcome> {
  const { store, geography, challenges, now, admit } = parts
  const reference = challenges.referenceFor(challenge)
  const submission = challenges.submissionOf(challenge, { tip })
  const earlier = await earlierOutcome(store, submission)
  if (earlier !== null) return { outcome: earlier, reference }
  const read = await readTip(tip, store, geography, now)
  if ('errors' in read) return { outcome: 'wrong', errors: read.errors }
  await admit()
  const [change] = reportChanges([read], TIP_ACTOR, now)
  const { id: incidentId } = read.record.incident
  const referenceHash = referenceHashOf(reference)
  const added = await store.tips.add(
    { referenceHash, incidentId, receivedAt: now, contact: tip.contact },
    change!,
    submission,
  )
  if (added) return { outcome: 'received', reference }
  return { outcome: (await earlierOutcome(store, submission)) ?? 'used', reference }
}

/** Null if the challenge was not used yet. */
export async function earlierOutcome(
  { tips }: Pick<Store, 'tips'>,
  { challengeHash, fingerprint }: TipSubmission,
): Promise<'received' | 'used' | null> {
  const earlier = await tips.findSubmission(challengeHash)
  if (earlier === null) return null
  return earlier.fingerprint === fingerprint ? 'received' : 'used'
}
