import { isOfficialPublisher } from '../../domain/confidence/official-publisher.ts'
import { Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../domain/moderation-record.ts'
import { type IncidentChange, type IncidentRecord, StaleVersion, type Store } from '../../store/store.ts'

export interface ModeratedIncident {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** Another writer may save between reading and saving; the change is then computed again. */
const MAX_ATTEMPTS = 20

/** Saves the changes of one decision; throws `StaleVersion` if another writer was faster. */
export type SaveChanges = (changes: readonly IncidentChange[]) => Promise<unknown>

/** Reads an incident, computes its changes and saves; repeats if another writer was faster. */
export async function changeIncident(
  id: string,
  store: Store,
  save: SaveChanges,
  computeChanges: (current: ModeratedIncident) => IncidentChange[] | Promise<IncidentChange[]>,
): Promise<void> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    const changes = await computeChanges(await loadIncident(id, store))
    try {
      await save(changes)
      return
    } catch (error) {
      if (!(error instanceof StaleVersion) || left <= 1) throw error
    }
  }
}

export async function loadIncident(id: string, store: Store): Promise<ModeratedIncident> {
  const [record] = isIdentifier('incident', id) ? await store.incidents.findRecords([id]) : []
  if (record === undefined) throw new Problem('not_found', `There is no incident ${id.slice(0, 60)}.`)
  return moderatedIncidentOf(record)
}

/**
 * Without a moderation record, the incident was imported or saved directly: its official sources
 * are recognized by the names of their publishers.
 */
export function moderatedIncidentOf({ incident, moderation }: IncidentRecord): ModeratedIncident {
  return {
    incident,
    moderation: moderation ?? { ...EMPTY_MODERATION_RECORD, official: officialByName(incident), severity_given: true },
  }
}

function officialByName({ sources }: Incident): number[] {
  return sources.flatMap(({ publisher }, index) => (isOfficialPublisher(publisher) ? [index] : []))
}

/** From `If-Match`; null accepts any version. */
export type Expected = number | null

export function checkVersion({ incident }: ModeratedIncident, expected: Expected): void {
  if (expected !== null && incident.version !== expected)
    throw new Problem(
      'stale_version',
      `${incident.id} is at version ${incident.version}, not ${expected}: it was changed meanwhile. Read it again.`,
    )
}
