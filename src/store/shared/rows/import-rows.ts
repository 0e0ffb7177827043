import type { ImportReport, ImportState } from '../../../domain/import-report.ts'
import type { ChangeOutcome, ImportChange, ImportRun } from '../../store.ts'

export interface ImportRunRow {
  id: string
  started_at: number
  updated_at: number
  state: string
  report: string
}

export function importRunOf(row: ImportRunRow): ImportRun {
  return {
    id: row.id,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    state: row.state as ImportState,
    report: JSON.parse(row.report) as ImportReport,
  }
}

/** In the order of the table's columns. */
export function importRunValues({ id, startedAt, updatedAt, state, report }: ImportRun) {
  return [id, startedAt, updatedAt, state, JSON.stringify(report)] as const
}

export interface ImportChangeRow {
  incident_id: string
  outcome: string
  version: number
  poorer_fields: string
  before_document: string | null
  before_dossier: string | null
  undone_at: number | null
  later_import: string | null
}

export function importChangeOf(row: ImportChangeRow): ImportChange {
  return {
    incidentId: row.incident_id,
    outcome: row.outcome as ChangeOutcome,
    version: row.version,
    poorerFields: JSON.parse(row.poorer_fields) as string[],
    before: row.before_document === null ? null : { document: row.before_document, moderation: row.before_dossier },
    undoneAt: row.undone_at,
    laterImport: row.later_import,
  }
}
