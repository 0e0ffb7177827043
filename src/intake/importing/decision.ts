import type { IncidentChange } from '../../store/store.ts'

/** What a row does to what is stored. */
export type Decision =
  | { readonly outcome: 'new' | 'updated'; readonly change: IncidentChange }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'kept'; readonly reason: string }

export const UNCHANGED: Decision = { outcome: 'unchanged' }

/** What is stored stays, though the row says otherwise. */
export function kept(reason: string): Decision {
  return { outcome: 'kept', reason }
}
