import { Problem } from '../../domain/errors.ts'
import { withOldValues } from '../../domain/field-changes.ts'
import { type Incident, orderIncidentFields } from '../../domain/incident.ts'
import { type HistoryEntry, lastChange } from '../../domain/lifecycle.ts'
import { timeText } from '../../lib/time.ts'
import type { IncidentChange, Store } from '../../store/store.ts'
import { publicFields } from './changed-fields.ts'
import { type Decision, historyEntryFor } from './decision.ts'
import {
  changeIncident,
  checkClaim,
  checkDecidable,
  loadIncident,
  type ModeratedIncident,
  type SaveChanges,
} from './moderated-incident.ts'
import { changedSince } from './put-back.ts'

/** Restores a merged incident, and the one that it was merged into as it was before. */
export function unmergeIncident(id: string, decision: Decision, store: Store, save: SaveChanges): Promise<void> {
  return changeIncident(id, store, save, async (current) => {
    checkDecidable(current, decision)
    const { incident, moderation } = current
    if (incident.status !== 'merged')
      throw new Problem('not_in_this_state', `${id} is ${incident.status}; only a merged incident can be unmerged.`)
    const into = await loadIncident(moderation.merged_into!, store)
    checkClaim(into, decision.by.account_id, decision.now)
    const merge = await mergeStep(id, 'merge', into.incident.id, store)
    const absorb = await mergeStep(into.incident.id, 'absorb', id, store)
    return [restoredChange(current, merge, into.incident.id, decision), freedChange(into, absorb, id, decision)]
  })
}

/** The merge as the last change of an incident; refuses if something came after it. */
async function mergeStep(id: string, step: 'merge' | 'absorb', other: string, store: Store): Promise<HistoryEntry> {
  const history = await store.incidents.history(id)
  const last = lastChange(history)
  if (last !== null && last.step === step && last.other === other) return last
  if (!history.some((entry) => entry.step === step && entry.other === other))
    throw new Problem(
      'not_undoable',
      `The merge of ${id} was made before old values were kept, so it cannot be undone.`,
    )
  throw changedSince(id, last!, 'The merge')
}

function restoredChange(
  current: ModeratedIncident,
  { changes }: HistoryEntry,
  into: string,
  decision: Decision,
): IncidentChange {
  const { version } = current.incident
  const before = withOldValues(current, changes)
  const isPublic = before.incident.status === 'confirmed'
  const { merged_into: _, ...incident } = before.incident
  const next: Incident = {
    ...incident,
    updated_at: timeText(decision.now),
    version: isPublic ? version + 1 : version,
  }
  return {
    incident: next,
    event: isPublic ? 'incident.updated' : null,
    replaces: { version, status: 'merged' },
    moderation: before.moderation,
    historyEntry: historyEntryFor('unmerge', current, { ...before, incident: next }, decision, { other: into }),
    ...(isPublic ? { revivesDeliveries: true } : {}),
  }
}

function freedChange(
  current: ModeratedIncident,
  { changes }: HistoryEntry,
  merged: string,
  decision: Decision,
): IncidentChange {
  const { version, status } = current.incident
  const { incident, moderation } = withOldValues(current, changes)
  const next = orderIncidentFields({ ...incident, updated_at: timeText(decision.now), version: version + 1 })
  return {
    incident: next,
    event: status === 'confirmed' ? 'incident.updated' : null,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor('unmerge', current, { incident: next, moderation }, decision, {
      fields: publicFields(current.incident, next),
      other: merged,
    }),
  }
}
