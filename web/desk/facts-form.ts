import type { Precision, TimePrecision } from '../../src/domain/incident.ts'
import type { IncidentType, Severity } from '../../src/domain/taxonomy.ts'
import type { DeskIncident } from './desk-api.ts'

/** The facts of an incident as texts of a form. */
export interface FactsForm {
  readonly type: IncidentType
  /** Empty: from type and casualties. */
  readonly severity: Severity | ''
  readonly date: string
  /** Empty for a time known to the day or less. */
  readonly time: string
  readonly timePrecision: TimePrecision
  readonly place: string
  readonly lga: string
  readonly state: string
  readonly killed: string
  readonly injured: string
  readonly abducted: string
  readonly summary: string
  /** In percent; empty: as computed. */
  readonly confidence: string
  readonly note: string
}

const LAGOS_OFFSET_MS = 3_600_000

/** Times are written as in Lagos: UTC+1, no summer time. */
export function formOf(incident: DeskIncident): FactsForm {
  const { casualties, location, time_precision, desk, confidence_reasons } = incident
  const local = new Date(Date.parse(incident.occurred_at) + LAGOS_OFFSET_MS).toISOString()
  const isTimed = time_precision === 'exact' || time_precision === 'hour'
  const isOverridden = confidence_reasons.some(({ reason }) => reason === 'operator_override')
  return {
    type: incident.type,
    severity: desk.severity_given ? incident.severity : '',
    date: local.slice(0, 10),
    time: isTimed ? local.slice(11, 16) : '',
    timePrecision: time_precision,
    place: location.place ?? '',
    lga: incident.lga ?? '',
    state: incident.state,
    killed: numberField(casualties.killed),
    injured: numberField(casualties.injured),
    abducted: numberField(casualties.abducted),
    summary: incident.summary,
    confidence: isOverridden ? String(Math.round(incident.confidence * 100)) : '',
    note: '',
  }
}

/** The body of the correction: only fields that were changed. Null if none was. */
export function correctionOf(before: FactsForm, after: FactsForm): Record<string, unknown> | null {
  const changed = (...names: (keyof FactsForm)[]) => names.some((name) => before[name] !== after[name])
  const body: Record<string, unknown> = {}
  if (changed('type')) body.type = after.type
  if (changed('severity')) body.severity = after.severity === '' ? null : after.severity
  if (changed('date', 'time')) body.occurred_at = momentOf(after)
  if (changed('date', 'time', 'timePrecision')) body.time_precision = after.timePrecision
  // The service replaces the location as a whole.
  if (changed('place', 'lga', 'state')) {
    body.state = after.state.trim() || null
    body.lga = after.lga.trim() || null
    body.place = after.place.trim() || null
  }
  const figures = (['killed', 'injured', 'abducted'] as const).filter((name) => changed(name))
  if (figures.length > 0) body.casualties = Object.fromEntries(figures.map((name) => [name, countOf(after[name])]))
  if (changed('summary')) body.summary = after.summary.trim()
  if (changed('confidence')) body.confidence = after.confidence.trim() === '' ? null : Number(after.confidence) / 100
  if (Object.keys(body).length === 0) return null
  return after.note.trim() === '' ? body : { ...body, note: after.note.trim() }
}

/** The body that moves the point and keeps the name of the place. */
export function movedPlace(incident: DeskIncident, lat: number, lng: number, precision: Precision): object {
  return { lat: rounded(lat), lng: rounded(lng), precision, place: incident.location.place }
}

function momentOf({ date, time }: FactsForm): string {
  return time === '' ? date : `${date}T${time}:00+01:00`
}

function rounded(degrees: number): number {
  return Math.round(degrees * 100_000) / 100_000
}

function numberField(count: number | null): string {
  return count === null ? '' : String(count)
}

function countOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
