import type { IncidentChange, Store } from '../../store/store.ts'
import { type Decision, historyEntryFor } from './decision.ts'
import { changeIncident, type ModeratedIncident, type SaveChanges } from './moderated-incident.ts'

/** Keeps a note in the history of an incident in any status. */
export function addNote(id: string, decision: Decision, store: Store, save: SaveChanges): Promise<void> {
  return changeIncident(id, store, save, (current) => [notedChange(current, decision)])
}

export function notedChange(current: ModeratedIncident, decision: Decision): IncidentChange {
  const { incident, moderation } = current
  return {
    incident,
    event: null,
    replaces: { version: incident.version, status: incident.status },
    moderation,
    historyEntry: historyEntryFor('note', current, current, decision),
  }
}
