import { MAX_ADDITIONS, parseReference, TIP_ACTOR } from '../../domain/tips.ts'
import type { Store } from '../../store/store.ts'
import { changeIncident, loadIncident, type SaveChanges } from '../desk/moderated-incident.ts'
import { notedChange } from '../desk/notes.ts'
import { type Challenge, referenceHashOf } from './challenges.ts'
import { earlierOutcome, type TipParts } from './receive-tip.ts'

export interface Addition {
  readonly reference: string
  readonly text: string
  /** Replaces the contact given before; null keeps it. */
  readonly contact: string | null
}

export type AdditionOutcome = 'received' | 'used' | 'unknown' | 'too_many'

/** Adds a note to the report of a tip, or to the incident that the report was merged into. */
export async function addToTip(
  parts: Omit<TipParts, 'geography'>,
  challenge: Challenge,
  addition: Addition,
): Promise<AdditionOutcome> {
  const { store, challenges, now, admit } = parts
  const { text, contact } = addition
  const submission = challenges.submissionOf(challenge, { addition })
  const earlier = await earlierOutcome(store, submission)
  if (earlier !== null) return earlier
  await admit()
  const reference = parseReference(addition.reference)
  const referenceHash = reference === null ? null : referenceHashOf(reference)
  const tip = referenceHash === null ? null : await store.tips.findByReference(referenceHash)
  if (tip === null || referenceHash === null) return 'unknown'

  let outcome = 'received' as AdditionOutcome
  const save: SaveChanges = async ([change]) => {
    const added = await store.tips.addTo(
      { referenceHash, change: change!, contact, submission, maxAdditions: MAX_ADDITIONS },
      now,
    )
    outcome = added === true ? 'received' : added
  }
  const decision = { by: TIP_ACTOR, note: text, expected: null, now }
  const id = await survivorOf(tip.incidentId, store)
  await changeIncident(id, store, save, (current) => [notedChange(current, decision)])
  // Sent twice at the same moment: the other one was stored.
  return outcome === 'used' ? ((await earlierOutcome(store, submission)) ?? 'used') : outcome
}

/** The incident that stands for the report at present. */
async function survivorOf(incidentId: string, store: Store): Promise<string> {
  const seen = new Set<string>()
  for (let id = incidentId; ; ) {
    const { merged_into } = (await loadIncident(id, store)).moderation
    if (merged_into === null || seen.has(merged_into)) return id
    seen.add(id)
    id = merged_into
  }
}
