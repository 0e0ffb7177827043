import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isOfficialPublisher } from '../domain/confidence/official-publisher.ts'
import { type Claim, liveClaim } from '../domain/desk/claim.ts'
import { fieldChanges } from '../domain/desk/field-changes.ts'
import {
  type Actor,
  EMPTY_MODERATION_RECORD,
  type HistoryEntry,
  type ModerationRecord,
} from '../domain/desk/moderation-record.ts'
import { Problem } from '../domain/errors.ts'
import { isIdentifier, newIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import { type IncidentChange, type IncidentRecord, StaleVersion, type Store } from '../store/store.ts'

/** What an editor decided: who, when, why, and on which version. */
export interface Decision {
  readonly by: Actor
  readonly note: string | null
  /** From `If-Match`; null accepts any version. */
  readonly expected: number | null
  readonly now: number
}

interface State {
  readonly incident: Incident
  readonly moderation: ModerationRecord
}

/** The history entry of a step from one state to the next. */
export function historyEntryFor(
  step: HistoryEntry['step'],
  before: State,
  after: State,
  { by, note, now }: Decision,
  more: { readonly fields?: readonly string[]; readonly other?: string } = {},
): HistoryEntry {
  const changes = fieldChanges(before, after)
  return {
    id: newIdentifier('step', now, randomBytes),
    step,
    version: after.incident.version,
    at: now,
    by,
    note,
    fields: more.fields ?? [],
    changes,
    other: more.other ?? null,
  }
}

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

/** Follow from other fields or change with every update; the history does not list them. */
const UNLISTED_FIELDS = new Set([
  'updated_at',
  'version',
  'category',
  'confidence_reasons',
  'lga',
  'lat',
  'lng',
  'state',
])

/** The names of the fields that a correction has changed, as the public history lists them. */
export function publicFields(before: Incident, after: Incident): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Incident)[]
  const placeChanged = (['lat', 'lng', 'state', 'lga'] as const).some((name) => before[name] !== after[name])
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const listed = changed.filter((name) => !UNLISTED_FIELDS.has(name))
  if (placeChanged && !listed.includes('location')) listed.push('location')
  // The reasons may change without their sum, as with another source of the same weight.
  if (changed.includes('confidence_reasons') && !listed.includes('confidence')) listed.push('confidence')
  return listed
}

/** Keeps a note in the history of an incident in any status. */
export function addNote(id: string, decision: Decision, store: Store, save: SaveChanges): Promise<void> {
  return changeIncident(id, store, save, (current) => [notedChange(current, decision)])
}

export function notedChange(current: ModeratedIncident, decision: Decision): IncidentChange {
  const { incident, moderation } = current
  return {
    incident,
    event: null,
    replaces: { version: incident.version, status: incident.status },
    moderation,
    historyEntry: historyEntryFor('note', current, current, decision),
  }
}
