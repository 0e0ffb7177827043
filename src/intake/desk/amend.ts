import { isDeepStrictEqual } from 'node:util'
import type { ReportBody } from '../../contract/desk/reports.ts'
import { type FieldError, invalidBody, Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import type { ModerationRecord } from '../../domain/moderation-record.ts'
import { categoryOf } from '../../domain/taxonomy.ts'
import type { Geography } from '../../geo/geography.ts'
import { timeText } from '../../lib/time/time.ts'
import type { Store } from '../../store/store.ts'
import { assessIncident, type PriorAssessment, priorAssessmentOf } from '../reports/assess.ts'
import { officialSourceIndexes, toSource } from '../reports/build-incident.ts'
import { placeReport } from '../reports/place-report.ts'
import { readMoment, readPlace, readSources, readSummary } from '../reports/read-report.ts'
import { loadReliability } from '../reports/receive-reports.ts'
import { changeIncident, checkVersion, type ModeratedIncident } from './moderated-incident.ts'
import { type Decision, historyEntryFor } from './transitions.ts'

export type Amendment = Partial<ReportBody> & { readonly confidence?: number | null }

const PLACE_FIELDS = ['lat', 'lng', 'state', 'lga', 'place', 'precision'] as const
/** Follow from other fields or change with every update; the history does not list them. */
const UNLISTED_FIELDS = new Set([
  'updated_at',
  'version',
  'category',
  'confidence_reasons',
  'lga',
  'lat',
  'lng',
  'state',
])

/** Corrects a report or incident. An amendment without effect creates no new version. */
export function amendIncident(
  id: string,
  amendment: Amendment,
  decision: Decision,
  store: Store,
  geography: Geography,
): Promise<void> {
  return changeIncident(
    id,
    store,
    (changes) => store.incidents.save(changes, decision.now),
    async (current) => {
      const { incident } = current
      if (incident.status !== 'reported' && incident.status !== 'confirmed')
        throw new Problem(
          'not_in_this_state',
          `${id} is ${incident.status}; only a reported or confirmed incident can be corrected.`,
        )
      checkVersion(current, decision.expected)
      const changed = amended(current, amendment, decision, geography)
      const assessed = assessIncident(changed.incident, changed.moderation, changed.prior, await loadReliability(store))
      const fields = changedFields(incident, assessed)
      if (fields.length === 0 && isDeepStrictEqual(changed.moderation, current.moderation)) return []
      const next = { ...assessed, updated_at: timeText(decision.now), version: incident.version + 1 }
      return [
        {
          incident: next,
          event: incident.status === 'confirmed' && fields.length > 0 ? 'incident.updated' : null,
          replaces: { version: incident.version, status: incident.status },
          moderation: changed.moderation,
          historyEntry: historyEntryFor('update', next, decision, fields),
        },
      ]
    },
  )
}

interface Amended {
  readonly incident: Incident
  readonly moderation: ModerationRecord
  readonly prior: PriorAssessment
}

function amended(
  { incident, moderation }: ModeratedIncident,
  amendment: Amendment,
  { now, by }: Decision,
  geography: Geography,
): Amended {
  const errors: FieldError[] = []
  let next: Incident = { ...incident }
  let nextModeration: ModerationRecord = moderation
  if (amendment.type !== undefined) next = { ...next, type: amendment.type, category: categoryOf(amendment.type) }
  if (amendment.occurred_at !== undefined) {
    const { occurredAt, precision } = readMoment(amendment.occurred_at, now, errors)
    if (occurredAt !== '') next = { ...next, occurred_at: timeText(Date.parse(occurredAt)), time_precision: precision }
  }
  if (amendment.time_precision !== undefined) next = { ...next, time_precision: amendment.time_precision }
  if (PLACE_FIELDS.some((field) => amendment[field] !== undefined)) {
    const placementResult = placeReport({ type: next.type, ...readPlace(amendment) }, geography)
    if ('errors' in placementResult) errors.push(...placementResult.errors)
    else next = { ...next, ...placementResult.placement }
  }
  if (amendment.summary !== undefined) next = { ...next, summary: readSummary({ summary: amendment.summary }, errors) }
  if (amendment.sources !== undefined) {
    const sources = readSources(amendment.sources, now, errors)
    next = { ...next, sources: sources.map(toSource) }
    nextModeration = { ...nextModeration, official: officialSourceIndexes(sources) }
  }
  if (amendment.casualties !== undefined)
    next = { ...next, casualties: { ...next.casualties, ...amendment.casualties } }
  if (amendment.text !== undefined) nextModeration = { ...nextModeration, text: amendment.text }
  if (amendment.severity !== undefined) {
    nextModeration = { ...nextModeration, severity_given: amendment.severity !== null }
    next = { ...next, severity: amendment.severity ?? next.severity }
  }
  if (errors.length > 0) throw invalidBody(errors)
  return {
    incident: next,
    moderation: nextModeration,
    prior: withConfidenceOverride(priorAssessmentOf(incident), amendment, by.name),
  }
}

function withConfidenceOverride(prior: PriorAssessment, { confidence }: Amendment, by: string): PriorAssessment {
  if (confidence === undefined) return prior
  return { ...prior, override: confidence === null ? null : { confidence, by } }
}

function changedFields(before: Incident, after: Incident): string[] {
  const names = Object.keys(after) as (keyof Incident)[]
  const placeChanged = (['lat', 'lng', 'state', 'lga'] as const).some((name) => before[name] !== after[name])
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const listed = changed.filter((name) => !UNLISTED_FIELDS.has(name))
  if (placeChanged && !listed.includes('location')) listed.push('location')
  // The reasons may change without their sum, as with another source of the same weight.
  if (changed.includes('confidence_reasons') && !listed.includes('confidence')) listed.push('confidence')
  return listed
}
