import { isDeepStrictEqual } from 'node:util'
import { type Casualties, type Incident, orderIncidentFields } from '../../../domain/incident.ts'
import type { ModerationRecord } from '../../../domain/moderation.ts'
import type { Reliability } from '../../../domain/publishers.ts'
import { normalizeSummary } from '../../../domain/summary.ts'
import { categoryOf } from '../../../domain/taxonomy.ts'
import { assessIncident, priorAssessmentOf } from '../../reports/assess.ts'
import type { PreparedReport } from '../prepare-row.ts'
import type { ImportedState } from './import-context.ts'
import { richerPlace } from './richer-place.ts'
import { richerSources } from './richer-sources.ts'
import { richerSummary } from './richer-summary.ts'
import { richerTime } from './richer-time.ts'

export interface Combined {
  readonly state: ImportedState
  /** The fields in which the row says less than is stored. */
  readonly poorerFields: readonly string[]
}

/**
 * Combines a row with the stored incident of the same record: what the row does not say, or says
 * less exactly, stays as it is; everything else is the row's.
 */
export function keepRicher(
  stored: ImportedState,
  given: ImportedState,
  row: PreparedReport,
  reliability: Reliability,
): Combined {
  const { incident: ours } = stored
  const { incident: theirs } = given
  const { assumed = {} } = row
  const poorer = new Set<string>()

  const type = assumed.type?.includes(ours.type) ? ours.type : theirs.type
  if (type !== theirs.type) poorer.add('type')
  const severityIsOurs = stored.moderation.severity_given && row.report.severity === null
  const text = richerText(stored, given, row)
  const { sources, official } = richerSources(stored, given, assumed.sources ?? false)
  const quality = row.quality ?? priorAssessmentOf(ours).importQuality
  const incident: Incident = {
    ...theirs,
    type,
    category: categoryOf(type),
    severity: severityIsOurs ? ours.severity : theirs.severity,
    ...richerPlace(ours, theirs, row, poorer),
    ...richerTime(ours, theirs, assumed.timePrecision ?? false, poorer),
    summary: normalizeSummary(text),
    sources,
    casualties: {
      killed: keepFigure('killed', ours, theirs, poorer),
      injured: keepFigure('injured', ours, theirs, poorer),
      abducted: keepFigure('abducted', ours, theirs, poorer),
    },
    ...keepOptional('casualties_reported', ours, theirs, poorer),
    ...keepOptional('dataset', ours, theirs, poorer),
    ...keepOptional('attribution', ours, theirs, poorer),
  }
  if (normalizeSummary(text) !== theirs.summary) poorer.add('summary')
  if (!isDeepStrictEqual(sources, theirs.sources)) poorer.add('sources')
  if (severityIsOurs) poorer.add('severity')
  if (row.quality === null && quality !== null) poorer.add('quality')
  const moderation: ModerationRecord = {
    ...given.moderation,
    text: normalizeSummary(text) === text ? null : text,
    official,
    severity_given: given.moderation.severity_given || severityIsOurs,
  }
  const assessed = assessIncident(incident, moderation, { importQuality: quality, override: null }, reliability)
  return { state: { incident: orderIncidentFields(assessed), moderation }, poorerFields: [...poorer].sort() }
}

/**
 * Compares what sources say: confidence follows from it and from the operator's list of publishers.
 */
export function saysTheSame(one: ImportedState, other: ImportedState): boolean {
  return isDeepStrictEqual(withoutDerived(one.incident), withoutDerived(other.incident))
}

function withoutDerived(incident: Incident) {
  const { confidence: _c, confidence_reasons: _r, updated_at: _u, version: _v, ...rest } = incident
  return rest
}

/** The text of the row; with parts of the stored one where the row says less. */
function richerText(stored: ImportedState, given: ImportedState, { assumed }: PreparedReport): string {
  const theirs = given.moderation.text ?? given.incident.summary
  return richerSummary(theirs, stored.moderation.text ?? stored.incident.summary, assumed?.summary)
}

function keepFigure(name: keyof Casualties, ours: Incident, theirs: Incident, poorer: Set<string>): number | null {
  if (theirs.casualties[name] !== null || ours.casualties[name] === null) return theirs.casualties[name]
  poorer.add('casualties')
  return ours.casualties[name]
}

type Optional = 'casualties_reported' | 'dataset' | 'attribution'

function keepOptional(name: Optional, ours: Incident, theirs: Incident, poorer: Set<string>): Partial<Incident> {
  const isPoorer =
    ours[name] !== undefined && (theirs[name] === undefined || (Array.isArray(ours[name]) && isShorter(theirs, ours)))
  if (!isPoorer) return theirs[name] === undefined ? {} : { [name]: theirs[name] }
  poorer.add(name)
  return { [name]: ours[name] }
}

function isShorter(one: Incident, other: Incident): boolean {
  return (one.casualties_reported?.length ?? 0) < (other.casualties_reported?.length ?? 0)
}
