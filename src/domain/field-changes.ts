import { isDeepStrictEqual } from 'node:util'
import type { Incident } from './incident.ts'
import type { FieldChange, ModerationRecord } from './moderation.ts'

/** An incident with what only the desk knows. */
interface Fields {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** Change with every step, and say nothing about it. */
const UNLISTED = new Set(['updated_at', 'version', 'merged_into'])
const DESK = 'desk.'

export function fieldChanges(before: Fields, after: Fields): FieldChange[] {
  return [
    ...differences(before.incident, after.incident, '').filter(({ field }) => !UNLISTED.has(field)),
    ...differences(before.moderation, after.moderation, DESK),
  ]
}

function differences(before: object, after: object, prefix: string): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const valueIn = (fields: object, name: string) => (fields as Record<string, unknown>)[name] ?? null
  return [...names]
    .map((name) => ({ field: prefix + name, old: valueIn(before, name), new: valueIn(after, name) }))
    .filter((change) => !isDeepStrictEqual(change.old, change.new))
}

/** Members that are absent, not null, where they have no value. */
const OPTIONAL_IN_INCIDENT = new Set(['casualties_reported', 'occurred_until', 'dataset', 'attribution', 'merged_into'])
const OPTIONAL_AT_DESK = new Set(['merged_from', 'origin', 'reading', 'import_undone'])

/** The fields with the old values of the changes put back. */
export function withOldValues({ incident, moderation }: Fields, changes: readonly FieldChange[]): Fields {
  const ofDesk = changes.filter(({ field }) => field.startsWith(DESK))
  const ofIncident = changes.filter(({ field }) => !field.startsWith(DESK))
  return {
    incident: putBack(incident, ofIncident, '', OPTIONAL_IN_INCIDENT),
    moderation: putBack(moderation, ofDesk, DESK, OPTIONAL_AT_DESK),
  }
}

function putBack<Values extends object>(
  values: Values,
  changes: readonly FieldChange[],
  prefix: string,
  optional: ReadonlySet<string>,
): Values {
  const olds = new Map(changes.map(({ field, old }) => [field.slice(prefix.length), old]))
  // Keeps the order of the members, in which a document is written.
  const known = Object.entries(values).map(([name, value]) => [name, olds.has(name) ? olds.get(name) : value] as const)
  const added = [...olds].filter(([name]) => !(name in values))
  return Object.fromEntries(
    [...known, ...added].filter(([name, value]) => value !== null || !optional.has(name)),
  ) as Values
}

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
