import type { IncidentChange } from '../../store/store.ts'

/** What can become of a row. */
export const OUTCOMES = ['new', 'unchanged', 'updated', 'kept', 'rejected'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Counts = Record<Outcome, number>

/** A row that did not go in, and why. */
export interface Note {
  readonly row: number
  readonly reason: string
}

/** What became of the rows so far, with the first that were kept and rejected. */
export interface Tally {
  readonly counts: Readonly<Counts>
  readonly kept: readonly Note[]
  readonly rejected: readonly Note[]
}

/** So many tell what is wrong with a file; hundreds more would hide it. */
export const MAX_NOTES = 20
const LONGEST_REASON = 300

export const EMPTY_TALLY: Tally = {
  counts: { new: 0, unchanged: 0, updated: 0, kept: 0, rejected: 0 },
  kept: [],
  rejected: [],
}

export function countRows({ counts }: Tally): number {
  return OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
}

export function added(one: Tally, other: Tally): Tally {
  const counts = { ...one.counts }
  for (const outcome of OUTCOMES) counts[outcome] += other.counts[outcome]
  return {
    counts,
    kept: [...one.kept, ...other.kept].slice(0, MAX_NOTES),
    rejected: [...one.rejected, ...other.rejected].slice(0, MAX_NOTES),
  }
}

/** Counts row by row. */
export class Counter {
  readonly #counts: Counts = { ...EMPTY_TALLY.counts }
  readonly #kept: Note[] = []
  readonly #rejected: Note[] = []

  count(outcome: Outcome, row: number, reason = ''): void {
    this.#counts[outcome]++
    const notes = outcome === 'kept' ? this.#kept : outcome === 'rejected' ? this.#rejected : null
    if (notes !== null && notes.length < MAX_NOTES) notes.push({ row, reason: shortened(reason) })
  }

  get tally(): Tally {
    return { counts: this.#counts, kept: this.#kept, rejected: this.#rejected }
  }
}

function shortened(reason: string): string {
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON).toWellFormed()}…` : reason
}

/** What a row does to what is stored. */
export type Reconciliation =
  | { readonly outcome: 'new' | 'updated'; readonly change: IncidentChange }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'kept'; readonly reason: string }

export const UNCHANGED: Reconciliation = { outcome: 'unchanged' }

/** What is stored stays, though the row says otherwise. */
export function keepStored(reason: string): Reconciliation {
  return { outcome: 'kept', reason }
}
