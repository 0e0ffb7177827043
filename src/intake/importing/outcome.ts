import type { IncidentChange } from '../../store/store.ts'

export const OUTCOMES = ['new', 'unchanged', 'updated', 'kept', 'rejected'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Counts = Record<Outcome, number>

/** A row that was not imported, and the reason. */
export interface RowNote {
  readonly row: number
  readonly reason: string
}

/** The outcomes so far, with the first rows that were kept or rejected. */
export interface ImportTally {
  readonly counts: Readonly<Counts>
  readonly kept: readonly RowNote[]
  readonly rejected: readonly RowNote[]
}

/** Enough to show what is wrong with a file; hundreds more would hide it. */
export const MAX_NOTES = 20
const MAX_REASON_LENGTH = 300

export const EMPTY_TALLY: ImportTally = {
  counts: { new: 0, unchanged: 0, updated: 0, kept: 0, rejected: 0 },
  kept: [],
  rejected: [],
}

export function countRows({ counts }: ImportTally): number {
  return OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
}

export function addTallies(one: ImportTally, other: ImportTally): ImportTally {
  const counts = { ...one.counts }
  for (const outcome of OUTCOMES) counts[outcome] += other.counts[outcome]
  return {
    counts,
    kept: [...one.kept, ...other.kept].slice(0, MAX_NOTES),
    rejected: [...one.rejected, ...other.rejected].slice(0, MAX_NOTES),
  }
}

export class OutcomeCounter {
  readonly #counts: Counts = { ...EMPTY_TALLY.counts }
  readonly #kept: RowNote[] = []
  readonly #rejected: RowNote[] = []

  count(outcome: Outcome, row: number, reason = ''): void {
    this.#counts[outcome]++
    const notes = outcome === 'kept' ? this.#kept : outcome === 'rejected' ? this.#rejected : null
    if (notes !== null && notes.length < MAX_NOTES) notes.push({ row, reason: shortened(reason) })
  }

  get tally(): ImportTally {
    return { counts: this.#counts, kept: this.#kept, rejected: this.#rejected }
  }
}

function shortened(reason: string): string {
  return reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : reason
}

/** The result of comparing a row with the stored incident. */
export type Reconciliation =
  | { readonly outcome: 'new' | 'updated'; readonly change: IncidentChange }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'kept'; readonly reason: string }

export const UNCHANGED: Reconciliation = { outcome: 'unchanged' }

export function keepStored(reason: string): Reconciliation {
  return { outcome: 'kept', reason }
}
