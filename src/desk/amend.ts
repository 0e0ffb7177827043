import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidBody, Problem } from '../domain/errors.ts'
import { withText } from '../domain/moderation.ts'
import type { ReportBody } from '../domain/report.ts'
import { categoryOf } from '../domain/taxonomy.ts'
import type { Geography } from '../geo/geography.ts'
import { timeText } from '../lib/time.ts'
import {
  type ComputeChanges,
  checkDecidable,
  contentChange,
  type IncidentState,
  isOpen,
  keepNote,
  publicFields,
} from './decision.ts'
import {
  assessIncident,
  loadReliability,
  officialSourceIndexes,
  placeReport,
  priorAssessmentOf,
  toSource,
} from './reports/build-incident.ts'
import {
  readEnd,
  readMoment,
  readPlace,
  readReportedCasualties,
  readSources,
  readSummary,
} from './reports/read-report.ts'

export type Amendment = Partial<ReportBody> & { readonly confidence?: number | null }

const PLACE_FIELDS = ['lat', 'lng', 'state', 'lga', 'place', 'precision'] as const

/**
 * Corrects a report or incident. An amendment without effect creates no version; its note is kept.
 */
export function amend(amendment: Amendment, geography: Geography): ComputeChanges {
  return async (current, decision, store) => {
    const { incident } = current
    if (!isOpen(incident))
      throw new Problem(
        'not_in_this_state',
        `${incident.id} is ${incident.status}; only a reported or confirmed incident can be corrected.`,
      )
    checkDecidable(current, decision)
    const { confidence } = amendment
    const amended = amendedState(current, amendment, decision.now, geography)
    const { moderation } = amended
    const prior = { ...priorAssessmentOf(incident), ...(confidence === undefined ? {} : { override: confidence }) }
    const assessed = assessIncident(amended.incident, moderation, prior, await loadReliability(store))
    const fields = publicFields(incident, assessed)
    if (fields.length === 0 && isDeepStrictEqual(moderation, current.moderation))
      return decision.note === null ? [] : keepNote(current, decision)
    const content = { incident: assessed, moderation }
    const details = fields.length === 0 ? { fields, event: null } : { fields }
    return [contentChange('update', current, content, decision, details)]
  }
}

function amendedState(current: IncidentState, amendment: Amendment, now: number, geography: Geography): IncidentState {
  const errors: FieldError[] = []
  let { incident, moderation } = current
  if (amendment.type !== undefined)
    incident = { ...incident, type: amendment.type, category: categoryOf(amendment.type) }
  if (amendment.occurred_at !== undefined) {
    const { occurredAt, precision: time_precision } = readMoment(amendment.occurred_at, now, errors)
    if (occurredAt !== '') incident = { ...incident, occurred_at: timeText(Date.parse(occurredAt)), time_precision }
  }
  if (amendment.occurred_at !== undefined || amendment.occurred_until !== undefined) {
    const until = amendment.occurred_until === undefined ? incident.occurred_until : amendment.occurred_until
    const { occurred_until: _, ...rest } = incident
    incident = { ...rest, ...readEnd(until, incident.occurred_at, now, errors) }
  }
  if (amendment.time_precision !== undefined) incident = { ...incident, time_precision: amendment.time_precision }
  if (PLACE_FIELDS.some((field) => amendment[field] !== undefined)) {
    const placed = placeReport({ type: incident.type, ...readPlace(amendment) }, geography)
    if ('errors' in placed) errors.push(...placed.errors)
    else incident = { ...incident, ...placed.placement }
  }
  if (amendment.summary !== undefined)
    incident = { ...incident, summary: readSummary({ summary: amendment.summary }, errors) }
  if (amendment.sources !== undefined) {
    const sources = readSources(amendment.sources, now, errors)
    incident = { ...incident, sources: sources.map(toSource) }
    moderation = { ...moderation, official: officialSourceIndexes(sources) }
  }
  if (amendment.casualties !== undefined)
    incident = { ...incident, casualties: { ...incident.casualties, ...amendment.casualties } }
  if (amendment.casualties_reported !== undefined)
    incident = { ...incident, ...readReportedCasualties(amendment.casualties_reported, errors) }
  if (amendment.text !== undefined) moderation = withText(moderation, amendment.text)
  if (amendment.severity !== undefined) {
    moderation = { ...moderation, severity_given: amendment.severity !== null }
    incident = { ...incident, severity: amendment.severity ?? incident.severity }
  }
  if (errors.length > 0) throw invalidBody(errors)
  return { incident, moderation }
}
