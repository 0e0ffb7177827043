import { type FieldError, nameHints } from '../domain/errors.ts'
import type { Incident } from '../domain/incident.ts'
import type { Parameter } from './filter/parameters.ts'
import { isOneOf, quote } from './parameter-values.ts'

/** The members of a public incident, in the order of the wire. */
export const INCIDENT_FIELDS = [
  'id',
  'type',
  'category',
  'severity',
  'state',
  'lga',
  'lat',
  'lng',
  'location',
  'confidence',
  'confidence_reasons',
  'summary',
  'sources',
  'dataset',
  'attribution',
  'casualties',
  'casualties_reported',
  'occurred_at',
  'occurred_until',
  'time_precision',
  'reported_at',
  'confirmed_at',
  'published_at',
  'updated_at',
  'status',
  'version',
] as const satisfies readonly (keyof Incident)[]
export type IncidentField = (typeof INCIDENT_FIELDS)[number]

export const FIELDS_PARAMETER = {
  description:
    'Only these members of each incident, and `id`. In CSV and GeoJSON they are the columns that the members become; a feature keeps its geometry.',
  example: 'type,severity,summary',
  several: true,
  values: INCIDENT_FIELDS,
} as const satisfies Parameter

/** Wrong names that get an error of their own; each costs a search for similar ones. */
const MAX_ERRORS = 5

/**
 * Returns the chosen members in the order of the wire, with `id`; null for all. Adds an error for
 * each wrong name.
 */
export function parseFields(names: readonly string[] | null, errors: FieldError[]): readonly IncidentField[] | null {
  if (names === null) return null
  const unknown = [...new Set(names)].filter((name) => !isOneOf(INCIDENT_FIELDS, name))
  for (const name of unknown.slice(0, MAX_ERRORS))
    errors.push({
      parameter: 'fields',
      message: `${quote(name)} is not a member of an incident`,
      ...nameHints(name, INCIDENT_FIELDS),
    })
  const chosen = INCIDENT_FIELDS.filter((field) => field === 'id' || names.includes(field))
  return chosen.length === INCIDENT_FIELDS.length ? null : chosen
}

export function pickFields(incident: Incident, fields: readonly IncidentField[]): Partial<Incident> {
  return Object.fromEntries(fields.filter((field) => field in incident).map((field) => [field, incident[field]]))
}
