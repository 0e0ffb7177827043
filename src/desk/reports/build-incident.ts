import { randomBytes } from 'node:crypto'
import { confidenceOf, type Evidence } from '../../domain/confidence.ts'
import type { FieldError } from '../../domain/errors.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import { type Incident, type Source, severityOf } from '../../domain/incident.ts'
import type { Actor } from '../../domain/lifecycle.ts'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../domain/moderation.ts'
import { type Reliability, reliabilityFrom } from '../../domain/publishers.ts'
import type { Report, ReportBody, ReportedSource } from '../../domain/report.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import { categoryOf } from '../../domain/taxonomy.ts'
import type { Geography } from '../../geo/geography.ts'
import { eventLoopShare } from '../../lib/event-loop-share.ts'
import { timeText } from '../../lib/time.ts'
import type { IncidentChange, IncidentRecord, Store } from '../../store/store.ts'
import { newHistoryEntry } from '../decision.ts'
import { type Placement, placeReport } from './place-report.ts'
import { readReport } from './read-report.ts'

/** The fields that do not come from the report. */
type Identity = Pick<Incident, 'id' | 'reported_at' | 'confirmed_at' | 'published_at' | 'updated_at' | 'status'>

export function reportedNow(now: number, id = newIdentifier('incident', now, randomBytes)): Identity {
  const time = timeText(now)
  return { id, reported_at: time, confirmed_at: null, published_at: null, updated_at: time, status: 'reported' }
}

/** Builds the first version of an incident. */
export function buildIncident(
  report: Report,
  placement: Placement,
  identity: Identity,
  moderation: ModerationRecord,
  importQuality: number | null,
  reliability: Reliability,
): Incident {
  const { id, reported_at, confirmed_at, published_at, updated_at, status } = identity
  // In the order of the wire: the document is serialized in this order.
  const incident: Incident = {
    id,
    type: report.type,
    category: categoryOf(report.type),
    severity: report.severity ?? 'low',
    state: placement.state,
    lga: placement.lga,
    lat: placement.lat,
    lng: placement.lng,
    location: placement.location,
    confidence: 0,
    confidence_reasons: [],
    summary: normalizeSummary(report.summary),
    sources: report.sources.map(toSource),
    ...(report.dataset ? { dataset: report.dataset } : {}),
    ...(report.attribution ? { attribution: report.attribution } : {}),
    casualties: report.casualties,
    ...(report.casualties_reported ? { casualties_reported: report.casualties_reported } : {}),
    occurred_at: timeText(Date.parse(report.occurred_at)),
    ...(report.occurred_until ? { occurred_until: report.occurred_until } : {}),
    time_precision: report.time_precision,
    reported_at,
    confirmed_at,
    published_at,
    updated_at,
    status,
    version: 1,
  }
  return assessIncident(incident, moderation, { importQuality, override: null }, reliability)
}

export function toSource({ url, publisher, published_at }: ReportedSource): Source {
  return { url, publisher, published_at: published_at === null ? null : timeText(Date.parse(published_at)) }
}

/** Indexes of the sources that speak for the police, the army or the government. */
export function officialSourceIndexes(sources: readonly ReportedSource[]): number[] {
  return sources.flatMap(({ official }, index) => (official ? [index] : []))
}

/** Confidence inputs not stored beside the incident; `priorAssessmentOf` reads them back. */
type PriorAssessment = Pick<Evidence, 'importQuality' | 'override'>

/** Computes confidence and severity; a severity that a person has set is kept. */
export function assessIncident(
  incident: Incident,
  moderation: ModerationRecord,
  prior: PriorAssessment,
  reliability: Reliability,
): Incident {
  const { confidence, reasons } = confidenceOf(
    {
      sources: incident.sources.map((source, index) => ({ ...source, official: moderation.official.includes(index) })),
      precision: incident.location.precision,
      timePrecision: incident.time_precision,
      ...prior,
    },
    reliability,
  )
  const severity = moderation.severity_given ? incident.severity : severityOf(incident.type, incident.casualties)
  return { ...incident, severity, confidence, confidence_reasons: reasons }
}

/** Reads import quality and operator's override back from the confidence reasons. */
export function priorAssessmentOf(incident: Incident): PriorAssessment {
  const valueIn = (name: string) => incident.confidence_reasons.find(({ reason }) => reason === name)?.value
  const quality = valueIn('import_quality')
  return {
    importQuality: typeof quality === 'number' ? quality : null,
    override: valueIn('operator_override') === undefined ? null : incident.confidence,
  }
}

export async function loadReliability({ publishers }: Pick<Store, 'publishers'>): Promise<Reliability> {
  return reliabilityFrom((await publishers.list()).map(({ name, kind }) => [name, kind] as const))
}

/** Finding the place of one report takes a tenth of a millisecond and more. */
const REPORTS_PER_TURN = 10

export type ReceivedReport = { readonly record: IncidentRecord } | { readonly errors: readonly FieldError[] }
type GivenReport = ReportBody | readonly FieldError[]

/**
 * Reads reports, in the order of the bodies; `reportChanges` are what to save of them. A body that
 * did not fit the schema is passed as its errors.
 */
export async function readReports(
  bodies: readonly GivenReport[],
  store: Pick<Store, 'publishers'>,
  geography: Geography,
  now: number,
): Promise<ReceivedReport[]> {
  const reliability = await loadReliability(store)
  const results: ReceivedReport[] = []
  for (let start = 0; start < bodies.length; start += REPORTS_PER_TURN) {
    if (bodies.length > 1) await eventLoopShare.nextSlice('reports')
    results.push(...bodies.slice(start, start + REPORTS_PER_TURN).map(readOne))
  }
  return results

  function readOne(body: GivenReport): ReceivedReport {
    if (isRefused(body)) return { errors: body }
    const errors: FieldError[] = []
    const { report, text } = readReport(body, now, errors)
    const placed = placeReport(report, geography)
    if ('errors' in placed) errors.push(...placed.errors)
    if ('errors' in placed || errors.length > 0) return { errors }
    const official = officialSourceIndexes(report.sources)
    const moderation = { ...EMPTY_MODERATION_RECORD, text, official, severity_given: report.severity !== null }
    const incident = buildIncident(report, placed.placement, reportedNow(now), moderation, null, reliability)
    return { record: { incident, moderation, claim: null } }
  }
}

function isRefused(body: GivenReport): body is readonly FieldError[] {
  return Array.isArray(body)
}

export function reportChanges(results: readonly ReceivedReport[], by: Actor, now: number): IncidentChange[] {
  return results.flatMap((result) => {
    if (!('record' in result)) return []
    const { incident, moderation } = result.record
    const historyEntry = newHistoryEntry('report', incident.version, { by, now, note: null })
    return [{ incident, event: null, historyEntry, ...(moderation ? { moderation } : {}) }]
  })
}
