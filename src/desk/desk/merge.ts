import { invalidBody, Problem } from '../../domain/errors.ts'
import { type Incident, orderIncidentFields } from '../../domain/incident.ts'
import type { MergeTake } from '../../domain/lifecycle.ts'
import { timeText } from '../../lib/time.ts'
import type { IncidentChange, Store } from '../../store/store.ts'
import { assessIncident, priorAssessmentOf } from '../reports/assess.ts'
import { loadReliability } from '../reports/receive-reports.ts'
import { publicFields } from './changed-fields.ts'
import { type Decision, historyEntryFor } from './decision.ts'
import { mergedValues } from './merged-values.ts'
import {
  changeIncident,
  checkClaim,
  checkDecidable,
  checkVersion,
  loadIncident,
  type ModeratedIncident,
  type SaveChanges,
} from './moderated-incident.ts'

export interface Merge {
  readonly into: string
  readonly take: MergeTake
  /** The version of the incident that remains, as the editor has read it; null accepts any. */
  readonly intoVersion: number | null
}

/** Merges an incident into another, in one transaction. */
export function mergeIncident(
  id: string,
  { into, take, intoVersion }: Merge,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  if (id === into) throw invalidBody([{ pointer: '/into', message: 'must be another incident' }])
  return changeIncident(id, store, save, async (current) => {
    checkDecidable(current, decision)
    checkMergeable(current)
    const target = await loadIncident(into, store)
    checkTarget(target, current)
    checkClaim(target, decision.by.account_id, decision.now)
    checkVersion(target.incident, intoVersion)
    return [mergedChange(current, into, decision), await absorbingChange(current, target, take, decision, store)]
  })
}

function checkMergeable({ incident: { id, status }, moderation }: ModeratedIncident): void {
  if (status === 'reported' || status === 'confirmed') return
  const state = status === 'merged' ? `already merged into ${moderation.merged_into}` : status
  throw new Problem(
    'not_in_this_state',
    `${id} is ${state}; only a reported or confirmed incident can be merged into another.`,
  )
}

function checkTarget({ incident, moderation }: ModeratedIncident, merged: ModeratedIncident): void {
  const { id, status } = incident
  const refuse = (detail: string) => new Problem('not_in_this_state', detail)
  if (status === 'merged' && moderation.merged_into === merged.incident.id)
    throw refuse(`${id} was merged into ${merged.incident.id} itself: the two would be merged in a circle.`)
  if (status === 'merged')
    throw refuse(`${id} was merged into ${moderation.merged_into}: merge into that one, or unmerge ${id} first.`)
  if (status !== 'reported' && status !== 'confirmed')
    throw refuse(`${id} is ${status}; the incident that remains must be reported or confirmed.`)
  if (merged.incident.status === 'confirmed' && status === 'reported')
    throw refuse(
      `${merged.incident.id} is confirmed and ${id} only reported: confirm ${id} first, or merge it into ${merged.incident.id}.`,
    )
}

/** A public incident leaves the feed: copies are told that it is gone, and where it went. */
function mergedChange(current: ModeratedIncident, into: string, decision: Decision): IncidentChange {
  const { incident } = current
  const { version, status } = incident
  const isPublic = status === 'confirmed'
  const next: Incident = {
    ...incident,
    status: 'merged',
    updated_at: timeText(decision.now),
    version: isPublic ? version + 1 : version,
    merged_into: into,
  }
  const moderation = { ...current.moderation, merged_into: into }
  return {
    incident: next,
    event: isPublic ? 'incident.retracted' : null,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor('merge', current, { incident: next, moderation }, decision, { other: into }),
  }
}

async function absorbingChange(
  merged: ModeratedIncident,
  target: ModeratedIncident,
  take: MergeTake,
  decision: Decision,
  store: Store,
): Promise<IncidentChange> {
  const { version, status } = target.incident
  const { incident, moderation } = mergedValues(merged, target, take)
  const assessed = assessIncident(
    incident,
    moderation,
    priorAssessmentOf(target.incident),
    await loadReliability(store),
  )
  const next = orderIncidentFields({ ...assessed, updated_at: timeText(decision.now), version: version + 1 })
  return {
    incident: next,
    event: status === 'confirmed' ? 'incident.updated' : null,
    replaces: { version, status },
    moderation,
    historyEntry: historyEntryFor(
      'absorb',
      target,
      { incident: next, moderation },
      { ...decision, note: decision.note ?? `${merged.incident.id} was merged into it` },
      { fields: publicFields(target.incident, next), other: merged.incident.id },
    ),
  }
}
