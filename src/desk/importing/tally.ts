import { type Counts, type ImportTally, OUTCOMES, type Outcome, type RowNote } from '../../domain/import-report.ts'

/** Enough to show what is wrong with a file; hundreds more would hide it. */
export const MAX_NOTES = 20
const MAX_REASON_LENGTH = 300

export const EMPTY_TALLY: ImportTally = {
  counts: { new: 0, unchanged: 0, updated: 0, poorer: 0, kept: 0, rejected: 0 },
  poorerFields: {},
  kept: [],
  poorer: [],
  rejected: [],
}

export function countRows({ counts }: ImportTally): number {
  return OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
}

export function addTallies(one: ImportTally, other: ImportTally): ImportTally {
  const counts = { ...one.counts }
  for (const outcome of OUTCOMES) counts[outcome] += other.counts[outcome]
  const poorerFields = { ...one.poorerFields }
  for (const [field, count] of Object.entries(other.poorerFields))
    poorerFields[field] = (poorerFields[field] ?? 0) + count
  const notes = (name: 'kept' | 'poorer' | 'rejected') => [...one[name], ...other[name]].slice(0, MAX_NOTES)
  return { counts, poorerFields, kept: notes('kept'), poorer: notes('poorer'), rejected: notes('rejected') }
}

export class OutcomeCounter {
  readonly #counts: Counts = { ...EMPTY_TALLY.counts }
  readonly #poorerFields: Record<string, number> = {}
  readonly #notes: Record<'kept' | 'poorer' | 'rejected', RowNote[]> = { kept: [], poorer: [], rejected: [] }

  count(outcome: Outcome, row: number, reason = ''): void {
    this.#counts[outcome]++
    if (outcome === 'kept' || outcome === 'rejected') this.#addNote(outcome, row, reason)
  }

  /**
   * Counts the fields in which a row was poorer than the stored incident, whatever else it changed.
   */
  countPoorer(fields: readonly string[], row: number, incidentId: string): void {
    if (fields.length === 0) return
    for (const field of fields) this.#poorerFields[field] = (this.#poorerFields[field] ?? 0) + 1
    this.#addNote('poorer', row, `${incidentId} keeps its ${fields.join(', ')}`)
  }

  get tally(): ImportTally {
    return { counts: this.#counts, poorerFields: this.#poorerFields, ...this.#notes }
  }

  #addNote(kind: 'kept' | 'poorer' | 'rejected', row: number, reason: string): void {
    if (this.#notes[kind].length >= MAX_NOTES) return
    const isLong = reason.length > MAX_REASON_LENGTH
    const shown = isLong ? `${reason.slice(0, MAX_REASON_LENGTH).toWellFormed()}…` : reason
    this.#notes[kind].push({ row, reason: shown })
  }
}
