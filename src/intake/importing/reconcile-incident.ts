import { isDeepStrictEqual } from 'node:util'
import type { Incident } from '../../domain/incident.ts'
import { timeText } from '../../lib/time/time.ts'
import type { IncidentRecord } from '../../store/store.ts'
import { keepStored, type Reconciliation, UNCHANGED } from './outcome.ts'
import type { PreparedIncident } from './prepare-row.ts'

/**
 * What a document of ours does to the incident of its id. The higher version wins; where they are the same and the
 * documents are not, somebody has edited the file.
 */
export function reconcileIncident(
  row: PreparedIncident,
  filed: IncidentRecord | undefined,
  now: number,
): Reconciliation {
  const event = 'incident.imported'
  if (filed === undefined)
    return { outcome: 'new', change: { incident: row.incident, event, replaces: { version: 0 } } }
  const ours = filed.incident
  const theirs = withOmitted(row, ours)
  if (isDeepStrictEqual(theirs, ours)) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (theirs.version < ours.version)
    return keepStored(`${row.id} has version ${ours.version}, which is newer than ${theirs.version}`)
  const incident =
    theirs.version > ours.version ? theirs : { ...theirs, version: ours.version + 1, updated_at: timeText(now) }
  const replaces = { version: ours.version, status: ours.status }
  return { outcome: 'updated', change: { incident, event, replaces } }
}

/** What the file's format cannot carry stays as we have it. */
function withOmitted({ incident, omits }: PreparedIncident, ours: Incident): Incident {
  if (omits.length === 0) return incident
  return { ...incident, ...Object.fromEntries(omits.map((field) => [field, ours[field]])) }
}
