import { publisherKey } from '../domain/confidence/reliability.ts'
import { sourceUrlKey } from '../domain/confidence/source-url-key.ts'
import { withOldValues } from '../domain/desk/field-changes.ts'
import { MERGE_CHOICES, MERGED_FIELDS, type MergeTake } from '../domain/desk/merge-fields.ts'
import type { HistoryEntry, ModerationRecord } from '../domain/desk/moderation-record.ts'
import { lastChange } from '../domain/desk/undo.ts'
import { invalidBody, Problem } from '../domain/errors.ts'
import type { Casualties, Incident, ReportedCasualties, Source } from '../domain/incident.ts'
import { orderIncidentFields } from '../domain/incident-field-order.ts'
import { timeText } from '../lib/time/time.ts'
import type { IncidentChange, Store } from '../store/store.ts'
import {
  changeIncident,
  checkClaim,
  checkDecidable,
  checkVersion,
  type Decision,
  historyEntryFor,
  loadIncident,
  type ModeratedIncident,
  publicFields,
  type SaveChanges,
} from './decision.ts'
import { assessIncident, priorAssessmentOf } from './reports/build-incident.ts'
import { loadReliability } from './reports/receive-reports.ts'
import { changedSince } from './undo.ts'

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

type State = Pick<ModeratedIncident, 'incident' | 'moderation'>

/** The incident that remains, with what it takes from the merged one. */
export function mergedValues(merged: State, remaining: State, take: MergeTake): State {
  const { sources, official } = unitedSources(merged, remaining)
  const reported = unitedCasualties(merged.incident, remaining.incident)
  const incident = {
    ...remaining.incident,
    ...takenValues(merged.incident, take),
    sources,
    ...(reported.length === 0 ? {} : { casualties_reported: reported }),
  }
  const moderation: ModerationRecord = {
    ...remaining.moderation,
    official,
    merged_from: [...(remaining.moderation.merged_from ?? []), merged.incident.id],
    // A severity that was chosen is not computed again.
    severity_given: take.severity === 'this' || remaining.moderation.severity_given,
  }
  return { incident, moderation }
}

function takenValues(merged: Incident, take: MergeTake): Partial<Incident> {
  const members = MERGED_FIELDS.filter((field) => take[field] === 'this').flatMap((field) => MERGE_CHOICES[field])
  return Object.fromEntries(members.map((member) => [member, merged[member]]))
}

/** Sources of both, each once; those of the remaining incident come first. */
function unitedSources(merged: State, remaining: State): { sources: Source[]; official: number[] } {
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
  for (const each of list) if (!united.some((known) => isSame(known, each))) united.push(withFreeName(each, united))
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

function isSame(one: ReportedCasualties, other: ReportedCasualties): boolean {
  return one.source === other.source && sameFigures(one, other)
}

/** A source may have given two figures: the second gets a number. */
function withFreeName(each: ReportedCasualties, taken: readonly ReportedCasualties[]): ReportedCasualties {
  let source = each.source
  for (let number = 2; taken.some((known) => known.source === source); number++) source = `${each.source} (${number})`
  return { ...each, source }
}

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
