import { isDeepStrictEqual } from 'node:util'
import type { Incident } from '../incident.ts'

/** The fields that an editor compares before a merge, in the order of the desk. */
const COMPARED_FIELDS = {
  type: (incident) => incident.type,
  severity: (incident) => incident.severity,
  state: (incident) => incident.state,
  lga: (incident) => incident.lga,
  place: (incident) => incident.location.place,
  point: (incident) => [incident.lat, incident.lng],
  occurred_at: (incident) => incident.occurred_at,
  casualties: (incident) => incident.casualties,
  summary: (incident) => incident.summary,
} as const satisfies Record<string, (incident: Incident) => unknown>

export type ComparedField = keyof typeof COMPARED_FIELDS
export const COMPARED_FIELD_NAMES = Object.keys(COMPARED_FIELDS) as ComparedField[]

export function differingFields(one: Incident, other: Incident): ComparedField[] {
  return COMPARED_FIELD_NAMES.filter((name) => {
    const read = COMPARED_FIELDS[name]
    return !isDeepStrictEqual(read(one), read(other))
  })
}
