import { Problem } from '../../domain/errors.ts'
import { withOldValues } from '../../domain/field-changes.ts'
import { orderIncidentFields } from '../../domain/incident.ts'
import type { HistoryEntry } from '../../domain/lifecycle.ts'
import { timeText } from '../../lib/time.ts'
import type { IncidentChange } from '../../store/store.ts'
import { type Decision, historyEntryFor } from './decision.ts'
import { checkDecidable, type ModeratedIncident } from './moderated-incident.ts'

/** Puts the values before a correction back, as the next version. */
export function putBack(current: ModeratedIncident, corrected: HistoryEntry, decision: Decision): IncidentChange {
  checkDecidable(current, decision)
  const { version, status } = current.incident
  const { incident, moderation } = withOldValues(current, corrected.changes)
  const next = orderIncidentFields({ ...incident, updated_at: timeText(decision.now), version: version + 1 })
  return {
    incident: next,
    event: status === 'confirmed' ? 'incident.updated' : null,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor('update', current, { incident: next, moderation }, decision, {
      fields: corrected.fields,
    }),
  }
}

export function changedSince(id: string, later: HistoryEntry, what: string): Problem {
  const at = new Date(later.at).toISOString()
  const fields = later.fields.length > 0 ? ` (${later.fields.join(', ')})` : ''
  return new Problem(
    'changed_since',
    `${what} cannot be undone: ${id} was changed since, by the step ${later.step}${fields} of ${later.by.name} at ${at}.`,
  )
}
