import { createStore } from '../../shared/store.ts'
import type { DeskIncident, PossibleDuplicate } from '../api/types.ts'
import { knownIncident } from './details.ts'

/** The candidate that was chosen for a merge; null: the likeliest. */
export const mergeTarget = createStore<string | null>(null)

/**
 * The possible duplicates that can be merged with: some may have been rejected since they were
 * found.
 */
export function mergeCandidates({ desk }: DeskIncident): PossibleDuplicate[] {
  return (desk.possible_duplicates ?? []).filter(({ id, status: found }) => {
    const status = knownIncident(id)?.status ?? found
    return status === 'reported' || status === 'confirmed'
  })
}
