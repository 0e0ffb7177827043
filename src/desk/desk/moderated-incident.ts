import { Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { type Claim, EMPTY_MODERATION_RECORD, liveClaim, type ModerationRecord } from '../../domain/moderation.ts'
import { isOfficialPublisher } from '../../domain/publishers.ts'
import { type IncidentChange, type IncidentRecord, StaleVersion, type Store } from '../../store/store.ts'
import type { Decision } from './decision.ts'

export interface ModeratedIncident {
  readonly incident: Incident
  readonly moderation: ModerationRecord
  /** May have lapsed. */
  readonly claim: Claim | null
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

export async function loadIncident(id: string, store: Pick<Store, 'incidents'>): Promise<ModeratedIncident> {
  const [record] = isIdentifier('incident', id) ? await store.incidents.findRecords([id]) : []
  if (record === undefined) throw new Problem('not_found', `There is no incident ${id.slice(0, 60)}.`)
  return moderatedIncidentOf(record)
}

/**
 * Without a moderation record, the incident was imported or saved directly: its official sources
 * are recognized by the names of their publishers.
 */
export function moderatedIncidentOf({ incident, moderation, claim }: IncidentRecord): ModeratedIncident {
  return {
    incident,
    moderation: moderation ?? { ...EMPTY_MODERATION_RECORD, official: officialByName(incident), severity_given: true },
    claim,
  }
}

function officialByName({ sources }: Incident): number[] {
  return sources.flatMap(({ publisher }, index) => (isOfficialPublisher(publisher) ? [index] : []))
}

/** Throws if the decision was made on another version, or another editor works on the incident. */
export function checkDecidable(current: ModeratedIncident, { by, expected, now }: Decision): void {
  checkClaim(current, by.account_id, now)
  checkVersion(current.incident, expected)
}

export function checkVersion({ id, version }: Incident, expected: number | null): void {
  if (expected !== null && version !== expected)
    throw new Problem(
      'stale_version',
      `${id} is at version ${version}, not ${expected}: it was changed meanwhile. Read it again.`,
      { headers: { etag: `"${version}"` } },
    )
}

export function checkClaim({ incident, claim }: ModeratedIncident, accountId: string | null, now: number): void {
  const live = liveClaim(claim, now)
  if (live === null || live.accountId === accountId) return
  throw new Problem(
    'claimed_by_another',
    `${live.name} has claimed ${incident.id} until ${new Date(live.until).toISOString()}. Wait, or take it over.`,
  )
}
