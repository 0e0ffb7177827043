/** The outcome of a row. `poorer`: it differs, but has nothing that is not known in more detail. */
export const OUTCOMES = ['new', 'unchanged', 'updated', 'poorer', 'kept', 'rejected'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Counts = Record<Outcome, number>

/** A row that was not imported, or only in part, and the reason. */
export interface RowNote {
  readonly row: number
  readonly reason: string
}

/** The outcomes so far, with the first rows that were kept, poorer or rejected. */
export interface ImportTally {
  readonly counts: Readonly<Counts>
  /** Counts by field the rows that were poorer than the stored one, which was therefore kept. */
  readonly poorerFields: Readonly<Record<string, number>>
  readonly kept: readonly RowNote[]
  readonly poorer: readonly RowNote[]
  readonly rejected: readonly RowNote[]
}

/** `undone_in_part`: some incidents were changed since, and stay as they are. */
const IMPORT_STATES = ['running', 'interrupted', 'finished', 'undone', 'undone_in_part'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export interface ImportSettings {
  readonly columns: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly constants: Readonly<Record<string, string>>
  /** Poorer values replaced richer ones. */
  readonly replace: boolean
}

/** The record of an import, kept for the operator. */
export interface ImportReport {
  readonly by: string
  /** The name of the file, without its folder. */
  readonly file: string
  /** Null while standard input has not ended. */
  readonly bytes: number | null
  readonly sha256: string | null
  readonly format: string
  readonly dataset: string | null
  readonly settings: ImportSettings
  readonly tally: ImportTally
  /** The checkpoint from which the import would continue; null if it cannot. */
  readonly checkpoint: string | null
  /** Pairs with incidents of other data sets that the desk was offered; null before the search. */
  readonly duplicatePairs: number | null
  readonly undo: UndoReport | null
}

export interface UndoReport {
  readonly by: string
  readonly at: number
  /** Incidents that are again as they were before the import. */
  readonly restored: number
  /** Incidents that the import created, and that were taken back. */
  readonly retracted: number
  /** Incidents that were changed since and stay as they are. */
  readonly refused: number
}

/** The command with which an operator fills an empty archive; docs/importing.md explains it. */
export const FIRST_IMPORT = 'npx incident-feed import ucdp events.csv'
