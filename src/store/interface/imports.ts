import type { ImportReport, ImportState } from '../../domain/import-report.ts'

export interface ImportCheckpoint {
  readonly id: string
  readonly checkpoint: string
}

/** One run of the import command; an interrupted one continues under the same id. */
export interface ImportRun {
  readonly id: string
  readonly startedAt: number
  readonly updatedAt: number
  readonly state: ImportState
  readonly report: ImportReport
}

/** The effect of a run on an incident. */
export interface ImportChangeWrite {
  readonly incidentId: string
  /** `poorer`: the row had only poorer values, and the incident was not changed. */
  readonly outcome: 'created' | 'updated' | 'poorer'
  /** The incident's version after the run. */
  readonly version: number
  /** The fields of the row that were poorer. */
  readonly poorerFields: readonly string[]
}

export interface ImportChange extends ImportChangeWrite {
  /** The incident as it was stored, to the byte; null if the run created it, or it was redacted. */
  readonly before: StoredBefore | null
  readonly undoneAt: number | null
  /** The last run that has changed the incident after this one, and is not undone. */
  readonly laterImport: string | null
}

export interface StoredBefore {
  readonly document: string
  readonly moderation: string | null
}

/** An incident that an undo has put back: its version before the import, and after the undo. */
export interface UndoneChange {
  readonly incidentId: string
  /** Null if the run had created it. */
  readonly versionBefore: number | null
  readonly version: number
}

/** Records that an import writes together with a batch of changes. */
export interface ImportBatch {
  readonly checkpoint: ImportCheckpoint | null
  /** The run with its report after the batch; null for a batch that belongs to no run. */
  readonly run: { readonly id: string; readonly state: ImportState; readonly report: ImportReport } | null
  readonly changes: readonly ImportChangeWrite[]
  readonly undone: readonly UndoneChange[]
  /** Pairs that the batch offers to the desk; those that were offered before are ignored. */
  readonly pairs?: readonly DuplicatePair[]
}

/**
 * Two incidents of different data sets that seem to be one event; `incidentId` was imported later.
 */
export interface DuplicatePair {
  readonly incidentId: string
  readonly otherId: string
  /** The probability that they are one event. */
  readonly score: number
}

export interface ImportPosition {
  readonly startedAt: number
  readonly id: string
}

/**
 * The runs of the import command, with what each has changed. `Incidents.save` writes the changes
 * of a run and its report together with the incidents. An interrupted import resumes from its
 * checkpoint.
 */
export interface Imports {
  findCheckpoint(id: string): Promise<string | null>
  deleteCheckpoint(id: string): Promise<void>
  begin(run: ImportRun): Promise<void>
  /** Replaces state and report; false if there is no such run. */
  record(id: string, state: ImportState, report: ImportReport, now: number): Promise<boolean>
  find(id: string): Promise<ImportRun | null>
  /** Newest first. */
  list(before: ImportPosition | null, limit: number): Promise<ImportRun[]>
  /** In the order of the incidents' ids, after `afterIncidentId`; those already undone too. */
  changes(id: string, afterIncidentId: string | null, limit: number): Promise<ImportChange[]>
  /** The pairs that a run has offered to the desk, likeliest first. */
  pairs(id: string, limit: number): Promise<DuplicatePair[]>
  /** Returns those of the pairs that were offered before, whichever of the two came first. */
  offeredPairs(pairs: readonly DuplicatePair[]): Promise<DuplicatePair[]>
}
