import { publisherKey, sourceUrlKey } from '../domain/confidence.ts'
import { Problem } from '../domain/errors.ts'
import { withOldValues } from '../domain/field-changes.ts'
import type { Casualties, Incident, ReportedCasualties, Source } from '../domain/incident.ts'
import { type HistoryEntry, lastChange, MERGE_CHOICES, MERGED_FIELDS, type MergeTake } from '../domain/moderation.ts'
import { timeText } from '../lib/time.ts'
import type { IncidentChange, Store } from '../store/store.ts'
import {
  type ComputeChanges,
  changedSince,
  checkClaim,
  checkDecidable,
  checkVersion,
  contentChange,
  type Decision,
  decidedChange,
  type IncidentState,
  isOpen,
  loadIncident,
  type ModeratedIncident,
} from './decision.ts'
import { assessIncident, loadReliability, priorAssessmentOf } from './reports/build-incident.ts'

interface Merge {
  readonly into: string
  readonly take: MergeTake
  /** The version of the incident that remains, as the editor has read it; null accepts any. */
  readonly intoVersion: number | null
}

/** Merges an incident into another, in one transaction. */
export function merge({ into, take, intoVersion }: Merge): ComputeChanges {
  return async (current, decision, store) => {
    checkDecidable(current, decision)
    checkMergeable(current)
    const target = await loadIncident(into, store)
    checkTarget(target, current)
    checkClaim(target, decision.by.account_id, decision.now)
    checkVersion(target.incident, intoVersion)
    return [mergedChange(current, into, decision), await absorbingChange(current, target, take, decision, store)]
  }
}

function checkMergeable({ incident, moderation }: IncidentState): void {
  if (isOpen(incident)) return
  const { id, status } = incident
  const state = status === 'merged' ? `already merged into ${moderation.merged_into}` : status
  throw refusal(`${id} is ${state}; only a reported or confirmed incident can be merged into another.`)
}

function checkTarget({ incident, moderation }: IncidentState, { incident: merged }: IncidentState): void {
  const { id, status } = incident
  if (status === 'merged' && moderation.merged_into === merged.id)
    throw refusal(`${id} was merged into ${merged.id} itself: the two would be merged in a circle.`)
  if (status === 'merged')
    throw refusal(`${id} was merged into ${moderation.merged_into}: merge into that one, or unmerge ${id} first.`)
  if (!isOpen(incident)) throw refusal(`${id} is ${status}; the incident that remains must be reported or confirmed.`)
  if (merged.status === 'confirmed' && status === 'reported')
    throw refusal(
      `${merged.id} is confirmed and ${id} only reported: confirm ${id} first, or merge it into ${merged.id}.`,
    )
}

function refusal(detail: string): Problem {
  return new Problem('not_in_this_state', detail)
}

/** A public incident leaves the feed: copies are told that it is gone, and where it went. */
function mergedChange(current: IncidentState, into: string, decision: Decision): IncidentChange {
  const { version, status } = current.incident
  const isPublic = status === 'confirmed'
  const incident: Incident = {
    ...current.incident,
    status: 'merged',
    updated_at: timeText(decision.now),
    version: isPublic ? version + 1 : version,
    merged_into: into,
  }
  const moderation = { ...current.moderation, merged_into: into }
  const event = isPublic ? 'incident.retracted' : null
  return decidedChange('merge', current, { incident, moderation }, decision, { event, other: into })
}

async function absorbingChange(
  merged: IncidentState,
  target: IncidentState,
  take: MergeTake,
  decision: Decision,
  store: Store,
): Promise<IncidentChange> {
  const { incident, moderation } = mergedState(merged, target, take)
  const reliability = await loadReliability(store)
  const assessed = assessIncident(incident, moderation, priorAssessmentOf(target.incident), reliability)
  const { id: other } = merged.incident
  const note = decision.note ?? `${other} was merged into it`
  return contentChange('absorb', target, { incident: assessed, moderation }, { ...decision, note }, { other })
}

/** The incident that remains, with what it takes from the merged one. */
function mergedState(merged: IncidentState, remaining: IncidentState, take: MergeTake): IncidentState {
  const { sources, official } = unitedSources(merged, remaining)
  const reported = unitedCasualties(merged.incident, remaining.incident)
  const members = MERGED_FIELDS.filter((field) => take[field] === 'this').flatMap((field) => MERGE_CHOICES[field])
  return {
    incident: {
      ...remaining.incident,
      ...Object.fromEntries(members.map((member) => [member, merged.incident[member]])),
      sources,
      ...(reported.length === 0 ? {} : { casualties_reported: reported }),
    },
    moderation: {
      ...remaining.moderation,
      official,
      merged_from: [...(remaining.moderation.merged_from ?? []), merged.incident.id],
      // A severity that was chosen is not computed again.
      severity_given: take.severity === 'this' || remaining.moderation.severity_given,
    },
  }
}

/** Sources of both, each once; those of the remaining incident come first. */
function unitedSources(merged: IncidentState, remaining: IncidentState): { sources: Source[]; official: number[] } {
  const sources = [...remaining.incident.sources]
  const official = [...remaining.moderation.official]
  const known = new Set(sources.map(sourceKey))
  for (const [index, source] of merged.incident.sources.entries()) {
    if (known.has(sourceKey(source))) continue
    known.add(sourceKey(source))
    if (merged.moderation.official.includes(index)) official.push(sources.length)
    sources.push(source)
  }
  return { sources, official }
}

function sourceKey({ url, publisher }: Source): string {
  return url === null ? `by ${publisherKey(publisher)}` : sourceUrlKey(url)
}

/**
 * The figures of every source of both. Where the two have settled on different figures, each is
 * kept under its first source, so that the merge drops none.
 */
function unitedCasualties(merged: Incident, remaining: Incident): ReportedCasualties[] {
  const differ = isKnown(merged.casualties) && !sameFigures(merged.casualties, remaining.casualties)
  const list = [
    ...(remaining.casualties_reported ?? (differ ? ownFigures(remaining) : [])),
    ...(merged.casualties_reported ?? (differ ? ownFigures(merged) : [])),
  ]
  const united: ReportedCasualties[] = []
  for (const each of list) {
    if (united.some((known) => known.source === each.source && sameFigures(known, each))) continue
    // A source may have given two figures: the second gets a number.
    let { source } = each
    for (let number = 2; united.some((known) => known.source === source); number++)
      source = `${each.source} (${number})`
    united.push({ ...each, source })
  }
  return united
}

function ownFigures({ casualties, sources }: Incident): ReportedCasualties[] {
  return isKnown(casualties) ? [{ source: sources[0]?.publisher ?? 'no named source', ...casualties }] : []
}

function isKnown(casualties: Casualties): boolean {
  return casualties.killed !== null || casualties.injured !== null || casualties.abducted !== null
}

function sameFigures(one: Casualties, other: Casualties): boolean {
  return one.killed === other.killed && one.injured === other.injured && one.abducted === other.abducted
}

/** Restores a merged incident, and the one that it was merged into as it was before. */
export async function unmerge(current: ModeratedIncident, decision: Decision, store: Store): Promise<IncidentChange[]> {
  checkDecidable(current, decision)
  const { incident, moderation } = current
  const { id, status } = incident
  if (status !== 'merged') throw refusal(`${id} is ${status}; only a merged incident can be unmerged.`)
  const target = await loadIncident(moderation.merged_into!, store)
  const into = target.incident.id
  checkClaim(target, decision.by.account_id, decision.now)
  const merged = await mergeStep(id, 'merge', into, store)
  const absorbed = await mergeStep(into, 'absorb', id, store)
  const freed = withOldValues(target, absorbed.changes)
  return [
    restoredChange(current, merged, into, decision),
    contentChange('unmerge', target, freed, decision, { other: id }),
  ]
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
  current: IncidentState,
  { changes }: HistoryEntry,
  into: string,
  decision: Decision,
): IncidentChange {
  const { version } = current.incident
  const before = withOldValues(current, changes)
  const isPublic = before.incident.status === 'confirmed'
  const { merged_into: _, ...rest } = before.incident
  const incident = { ...rest, updated_at: timeText(decision.now), version: isPublic ? version + 1 : version }
  const event = isPublic ? 'incident.updated' : null
  return {
    ...decidedChange('unmerge', current, { incident, moderation: before.moderation }, decision, { event, other: into }),
    ...(isPublic ? { revivesDeliveries: true } : {}),
  }
}
