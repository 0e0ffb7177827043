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

/** Somebody else may write between reading and saving; this often it is read and decided again. */
const MAX_ATTEMPTS = 20

/** Reads an incident, lets `decide` say what becomes of it, and saves that, though others change it at the same moment. */
export async function changeIncident(
  id: string,
  store: Store,
  now: number,
  decide: (file: ModeratedIncident) => IncidentChange[] | Promise<IncidentChange[]>,
): Promise<void> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    const changes = await decide(await loadIncident(id, store))
    try {
      await store.incidents.save(changes, now)
      return
    } catch (error) {
      if (!(error instanceof StaleVersion) || left <= 1) throw error
    }
  }
}

export async function loadIncident(id: string, store: Store): Promise<ModeratedIncident> {
  const [filed] = isIdentifier('incident', id) ? await store.incidents.findRecords([id]) : []
  if (filed === undefined) throw new Problem('not_found', `There is no incident ${id.slice(0, 60)}.`)
  return moderatedIncidentOf(filed)
}

/** What came without a moderation was imported or saved by hand: its official sources are told by their names. */
export function moderatedIncidentOf({ incident, moderation }: IncidentRecord): ModeratedIncident {
  return {
    incident,
    moderation: moderation ?? { ...EMPTY_MODERATION_RECORD, official: officialByName(incident), severity_given: true },
  }
}

function officialByName({ sources }: Incident): number[] {
  return sources.flatMap(({ publisher }, index) => (isOfficialPublisher(publisher) ? [index] : []))
}

/** What the caller looked at, from `If-Match`; null for whatever is there. */
export type Expected = number | null

export function checkVersion({ incident }: ModeratedIncident, expected: Expected): void {
  if (expected !== null && incident.version !== expected)
    throw new Problem(
      'stale_version',
      `${incident.id} is at version ${incident.version}, not ${expected}: somebody else has changed it. Read it again.`,
    )
}
