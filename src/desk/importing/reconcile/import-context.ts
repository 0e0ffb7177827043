import { randomBytes } from 'node:crypto'
import { fieldChanges } from '../../../domain/field-changes.ts'
import { newIdentifier } from '../../../domain/identifier.ts'
import type { Incident } from '../../../domain/incident.ts'
import type { HistoryEntry } from '../../../domain/lifecycle.ts'
import type { ModerationRecord } from '../../../domain/moderation.ts'
import type { Reliability } from '../../../domain/publishers.ts'
import { publicFields } from '../../desk/changed-fields.ts'

/** Stands for a key in the history: an import is started at the command line. */
export const COMMAND_LINE = 'command_line'

export interface ImportContext {
  readonly now: number
  readonly reliability: Reliability
  /** Takes poorer values too. */
  readonly replace: boolean
  /** Null for an import that is not kept, as in a dry run. */
  readonly run: { readonly id: string; readonly by: string } | null
}

export interface ImportedState {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** The history entry of a change that an import, or its undoing, has made. */
export function importStep(
  step: 'import' | 'undo_import',
  before: ImportedState,
  after: ImportedState,
  run: { readonly id: string; readonly by: string },
  now: number,
): HistoryEntry {
  return {
    id: newIdentifier('step', now, randomBytes),
    step,
    version: after.incident.version,
    at: now,
    by: { key_id: COMMAND_LINE, account_id: null, name: run.by },
    note: run.id,
    fields: publicFields(before.incident, after.incident),
    changes: fieldChanges(before, after),
    other: null,
  }
}
