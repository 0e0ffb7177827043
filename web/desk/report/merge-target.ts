import { createStore } from '../../shared/store.ts'

/** The candidate that was chosen for a merge; null: the likeliest. */
export const mergeTarget = createStore<string | null>(null)
