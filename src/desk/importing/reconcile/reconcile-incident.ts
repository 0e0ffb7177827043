import { isDeepStrictEqual } from 'node:util'
import type { Incident } from '../../../domain/incident.ts'
import { timeText } from '../../../lib/time.ts'
import type { IncidentRecord } from '../../../store/store.ts'
import { moderatedIncidentOf } from '../../desk/moderated-incident.ts'
import { keepStored, type Reconciliation, UNCHANGED } from '../outcome.ts'
import type { PreparedIncident } from '../prepare-row.ts'
import { type ImportContext, importStep } from './import-context.ts'
import { wasTakenBack, withoutUndone } from './taken-back.ts'

/**
 * Compares with the stored incident of the same id. The higher version wins; at equal versions with
 * different documents somebody has edited the file, and the file wins.
 */
export function reconcileIncident(
  row: PreparedIncident,
  record: IncidentRecord | undefined,
  context: ImportContext,
): Reconciliation {
  const event = 'incident.imported'
  if (record === undefined)
    return { outcome: 'new', change: { incident: row.incident, event, replaces: { version: 0 } } }
  const ours = record.incident
  const replaces = { version: ours.version, status: ours.status }
  if (wasTakenBack(record)) {
    const version = Math.max(row.incident.version, ours.version + 1)
    const incident = { ...row.incident, version }
    return { outcome: 'new', change: { incident, event, replaces, moderation: withoutUndone(record.moderation!) } }
  }
  const theirs = withOmitted(row, ours)
  if (isDeepStrictEqual(theirs, ours)) return UNCHANGED
  if (ours.status !== 'confirmed') return keepStored(`${row.id} is ${ours.status}`)
  if (theirs.version < ours.version)
    return keepStored(`${row.id} has version ${ours.version}, which is newer than ${theirs.version}`)
  const incident =
    theirs.version > ours.version ? theirs : { ...theirs, version: ours.version + 1, updated_at: timeText(context.now) }
  const { run, now } = context
  const { moderation } = moderatedIncidentOf(record)
  const historyEntry = run && importStep('import', { incident: ours, moderation }, { incident, moderation }, run, now)
  return { outcome: 'updated', change: { incident, event, replaces, ...(historyEntry && { historyEntry }) } }
}

/** Takes fields that the file's format cannot hold from the stored incident. */
function withOmitted({ incident, omits }: PreparedIncident, ours: Incident): Incident {
  if (omits.length === 0) return incident
  const kept = omits.filter((field) => ours[field] !== undefined).map((field) => [field, ours[field]])
  return { ...incident, ...Object.fromEntries(kept) }
}
