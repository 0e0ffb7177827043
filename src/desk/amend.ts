import { isDeepStrictEqual } from 'node:util'
import { orderIncidentFields } from '../../domain/incident.ts'
import { type ModerationRecord, withText } from '../../domain/moderation.ts'
import type { ReportBody } from '../../domain/report.ts'
import { timeText } from '../../lib/time.ts'
import { type Decision, historyEntryFor, changeIncident, checkDecidable, type ModeratedIncident, notedChange, publicFields, type SaveChanges } from './decision.ts'
import type { ReportBody } from '../api/contract/desk/reports.ts'
import { type ModerationRecord, withText } from '../domain/desk/moderation-record.ts'
import { type FieldError, invalidBody, Problem } from '../domain/errors.ts'
import type { Incident } from '../domain/incident.ts'
import { orderIncidentFields } from '../domain/incident-field-order.ts'
import { categoryOf } from '../domain/taxonomy.ts'
import type { Geography } from '../geo/geography.ts'
import { timeText } from '../lib/time/time.ts'
import type { Store } from '../store/store.ts'
import { assessIncident, officialSourceIndexes, type PriorAssessment, priorAssessmentOf, toSource } from './reports/build-incident.ts'
import { placeReport } from './reports/place-report.ts'
import { readEnd, readMoment, readPlace, readReportedCasualties, readSources, readSummary } from './reports/read-report.ts'
import { loadReliability } from './reports/receive-reports.ts'

export type Amendment = Partial<ReportBody> & { readonly confidence?: number | null }

const PLACE_FIELDS = ['lat', 'lng', 'state', 'lga', 'place', 'precision'] as const
/**
 * Corrects a report or incident. An amendment without effect creates no version; its note is kept.
 */
export function amendIncident(
  id: string,
  amendment: Amendment,
  decision: Decision,
  store: Store,
  geography: Geography,
  save: SaveChanges,
): Promise<void> {
  return changeIncident(id, store, save, async (current) => {
    const { incident } = current
    if (incident.status !== 'reported' && incident.status !== 'confirmed')
      throw new Problem(
        'not_in_this_state',
        `${id} is ${incident.status}; only a reported or confirmed incident can be corrected.`,
      )
    checkDecidable(current, decision)
    const { moderation, ...changed } = amended(current, amendment, decision, geography)
    const assessed = assessIncident(changed.incident, moderation, changed.prior, await loadReliability(store))
    const fields = publicFields(incident, assessed)
    if (fields.length === 0 && isDeepStrictEqual(moderation, current.moderation))
      return decision.note === null ? [] : [notedChange(current, decision)]
    const next = orderIncidentFields({
      ...assessed,
      updated_at: timeText(decision.now),
      version: incident.version + 1,
    })
    return [
      {
        incident: next,
        event: incident.status === 'confirmed' && fields.length > 0 ? 'incident.updated' : null,
        replaces: { version: incident.version, status: incident.status },
        moderation,
        historyEntry: historyEntryFor('update', current, { incident: next, moderation }, decision, { fields }),
      },
    ]
  })
}

interface Amended {
  readonly incident: Incident
  readonly moderation: ModerationRecord
  readonly prior: PriorAssessment
}

function amended(
  { incident, moderation }: ModeratedIncident,
  amendment: Amendment,
  { now }: Decision,
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
  if (amendment.occurred_at !== undefined || amendment.occurred_until !== undefined) {
    const until = amendment.occurred_until === undefined ? next.occurred_until : amendment.occurred_until
    const { occurred_until: _, ...rest } = next
    next = { ...rest, ...readEnd(until, next.occurred_at, now, errors) }
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
  if (amendment.casualties_reported !== undefined)
    next = { ...next, ...readReportedCasualties(amendment.casualties_reported, errors) }
  if (amendment.text !== undefined) nextModeration = withText(nextModeration, amendment.text)
  if (amendment.severity !== undefined) {
    nextModeration = { ...nextModeration, severity_given: amendment.severity !== null }
    next = { ...next, severity: amendment.severity ?? next.severity }
  }
  if (errors.length > 0) throw invalidBody(errors)
  return {
    incident: next,
    moderation: nextModeration,
    prior: withConfidenceOverride(priorAssessmentOf(incident), amendment),
  }
}

function withConfidenceOverride(prior: PriorAssessment, { confidence }: Amendment): PriorAssessment {
  if (confidence === undefined) return prior
  return { ...prior, override: confidence }
}
