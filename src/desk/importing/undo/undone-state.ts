import type { Incident } from '../../../domain/incident.ts'
import type { ModerationRecord } from '../../../domain/moderation.ts'
import { timeText } from '../../../lib/time.ts'
import type { ImportChange, IncidentChange, IncidentRecord, UndoneChange } from '../../../store/store.ts'
import { moderatedIncidentOf } from '../../desk/moderated-incident.ts'
import { importStep } from '../reconcile/import-context.ts'

/** Who takes which import back, and when. */
export interface Undoing {
  readonly run: { readonly id: string; readonly by: string }
  readonly now: number
}

export type Undone =
  | { readonly kind: 'restored' | 'retracted'; readonly change: IncidentChange; readonly undone: UndoneChange }
  | { readonly kind: 'refused'; readonly incidentId: string; readonly reason: string }

/**
 * What becomes of an incident. It gets the next version and the time of the undo, because a number
 * names one content for ever, and copies find changes by them; every other byte is as before.
 */
export function undoneState(change: ImportChange, record: IncidentRecord | undefined, undoing: Undoing): Undone {
  const { incidentId, outcome, before, version, laterImport } = change
  const refused = (reason: string): Undone => ({ kind: 'refused', incidentId, reason })
  if (record === undefined) return refused('it is no longer stored')
  const { incident } = record
  if (laterImport !== null) return refused(`the import ${laterImport} has changed it since: undo that one first`)
  if (incident.status !== 'confirmed') return refused(`it was ${incident.status} at the desk since`)
  if (incident.version !== version) return refused('it was changed at the desk since')
  if (outcome === 'created') return { kind: 'retracted', ...takenBack(record, undoing) }
  return before === null
    ? refused('it was redacted since')
    : { kind: 'restored', ...putBack(record, before.document, before.moderation, undoing) }
}

interface UndoneIncident {
  readonly change: IncidentChange
  readonly undone: UndoneChange
}

function takenBack(record: IncidentRecord, undoing: Undoing): UndoneIncident {
  const current = moderatedIncidentOf(record)
  const version = record.incident.version + 1
  const incident: Incident = {
    ...record.incident,
    updated_at: timeText(undoing.now),
    status: 'retracted',
    version,
  }
  const moderation = { ...current.moderation, import_undone: { import_id: undoing.run.id, version } }
  return undoneIncident(record, { incident, moderation }, null, undoing)
}

function putBack(
  record: IncidentRecord,
  document: string,
  moderationText: string | null,
  undoing: Undoing,
): UndoneIncident {
  const before = JSON.parse(document) as Incident
  const version = record.incident.version + 1
  const incident: Incident = { ...before, updated_at: timeText(undoing.now), version }
  const stored = moderationText === null ? null : (JSON.parse(moderationText) as ModerationRecord)
  return undoneIncident(
    record,
    { incident, moderation: stored && followingVersion(stored, before.version, version) },
    before.version,
    undoing,
  )
}

/** The next import must not take the undo for a change made at the desk. */
function followingVersion(moderation: ModerationRecord, before: number, version: number): ModerationRecord {
  const { imported } = moderation
  return imported?.version === before ? { ...moderation, imported: { ...imported, version } } : moderation
}

function undoneIncident(
  record: IncidentRecord,
  after: { readonly incident: Incident; readonly moderation: ModerationRecord | null },
  versionBefore: number | null,
  { run, now }: Undoing,
): UndoneIncident {
  const { incident: current } = record
  const { incident, moderation } = after
  const before = moderatedIncidentOf(record)
  const next = { incident, moderation: moderation ?? before.moderation }
  return {
    change: {
      incident,
      event: 'incident.imported',
      replaces: { version: current.version, status: current.status },
      ...(moderation && { moderation }),
      historyEntry: importStep('undo_import', before, next, run, now),
    },
    undone: { incidentId: incident.id, versionBefore, version: incident.version },
  }
}
