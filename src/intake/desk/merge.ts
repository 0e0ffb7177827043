import { publisherKey } from '../../domain/confidence/reliability.ts'
import { sourceUrlKey } from '../../domain/confidence/source-url-key.ts'
import { invalidBody, Problem } from '../../domain/errors.ts'
import type { Incident, Source } from '../../domain/incident.ts'
import { timeText } from '../../lib/time/time.ts'
import type { IncidentChange, Store } from '../../store/store.ts'
import { assessIncident, priorAssessmentOf } from '../reports/assess.ts'
import { loadReliability } from '../reports/receive-reports.ts'
import {
  changeIncident,
  checkVersion,
  loadIncident,
  type ModeratedIncident,
  type SaveChanges,
} from './moderated-incident.ts'
import { applyTransition, type Decision, historyEntryFor } from './transitions.ts'

/** Merges a report into another incident, with its sources, in one transaction. */
export function mergeIncident(
  id: string,
  into: string,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  if (id === into) throw invalidBody([{ pointer: '/into', message: 'must be another incident' }])
  return changeIncident(id, store, save, async (current) => {
    checkVersion(current, decision.expected)
    const merged = applyTransition(current, 'merge', decision)
    const target = await openTarget(into, store)
    return [
      { ...merged, moderation: { ...current.moderation, merged_into: into } },
      await withSourcesOf(current, target, decision, store),
    ]
  })
}

async function openTarget(id: string, store: Store): Promise<ModeratedIncident> {
  const target = await loadIncident(id, store)
  const { status } = target.incident
  if (status !== 'reported' && status !== 'confirmed')
    throw new Problem('not_in_this_state', `${id} is ${status}; the target must be reported or confirmed.`)
  return target
}

async function withSourcesOf(
  from: ModeratedIncident,
  target: ModeratedIncident,
  decision: Decision,
  store: Store,
): Promise<IncidentChange> {
  const { incident } = target
  const known = new Set(incident.sources.map(sourceKey))
  const sources = [...incident.sources]
  const official = [...target.moderation.official]
  for (const [index, source] of from.incident.sources.entries()) {
    if (known.has(sourceKey(source))) continue
    known.add(sourceKey(source))
    if (from.moderation.official.includes(index)) official.push(sources.length)
    sources.push(source)
  }
  const moderation = { ...target.moderation, official }
  const next: Incident = {
    ...incident,
    sources,
    updated_at: timeText(decision.now),
    version: incident.version + 1,
  }
  const assessed = assessIncident(next, moderation, priorAssessmentOf(incident), await loadReliability(store))
  return {
    incident: assessed,
    event: incident.status === 'confirmed' ? 'incident.updated' : null,
    replaces: { version: incident.version, status: incident.status },
    moderation,
    historyEntry: historyEntryFor(
      'update',
      assessed,
      { ...decision, note: decision.note ?? `${from.incident.id} was merged into it` },
      ['sources'],
    ),
  }
}

function sourceKey({ url, publisher }: Source): string {
  return url === null ? `by ${publisherKey(publisher)}` : sourceUrlKey(url)
}
