import { isDeepStrictEqual } from 'node:util'
import { isOfficialPublisher } from '../domain/confidence.ts'
import { Problem } from '../domain/errors.ts'
import { fieldChanges } from '../domain/field-changes.ts'
import { isIdentifier, newIdentifier } from '../domain/identifier.ts'
import { type Incident, orderIncidentFields } from '../domain/incident.ts'
import {
  type Actor,
  CLAIM_MS,
  type Claim,
  EMPTY_MODERATION_RECORD,
  type HistoryEntry,
  type HistoryStep,
  liveClaim,
  type ModerationRecord,
} from '../domain/moderation.ts'
import { randomBytes } from '../lib/runtime.ts'
import { timeText } from '../lib/time.ts'
import {
  type IncidentChange,
  type IncidentRecord,
  StaleVersion,
  type Store,
  type WritableStore,
} from '../store/store.ts'

/** A decision of an editor: who, when, why, and on which version. */
export interface Decision {
  readonly by: Actor
  readonly note: string | null
  /** From `If-Match`; null accepts any version. */
  readonly expected: number | null
  readonly now: number
}

export interface ModeratedIncident {
  readonly incident: Incident
  readonly moderation: ModerationRecord
  /** May have lapsed. */
  readonly claim: Claim | null
}
export type IncidentState = Pick<ModeratedIncident, 'incident' | 'moderation'>

/** Another writer may save between reading and saving; the change is then computed again. */
const MAX_ATTEMPTS = 20

/** Saves the changes of one decision; throws `StaleVersion` if another writer was faster. */
export type SaveChanges = (changes: readonly IncidentChange[]) => Promise<unknown>

/** Computes the changes that a decision makes, from the incident as it is; writes nothing. */
export type ComputeChanges = (
  current: ModeratedIncident,
  decision: Decision,
  store: Store,
) => IncidentChange[] | Promise<IncidentChange[]>

/** Reads an incident, computes its changes and saves; repeats if another writer was faster. */
export async function changeIncident(
  id: string,
  compute: ComputeChanges,
  decision: Decision,
  store: Store,
  save: SaveChanges,
): Promise<void> {
  await repeatWhileStale(async () => save(await compute(await loadIncident(id, store), decision, store)))
}

export async function repeatWhileStale<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    try {
      return await attempt()
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
  if (moderation !== null) return { incident, moderation, claim }
  const official = incident.sources.flatMap(({ publisher }, index) => (isOfficialPublisher(publisher) ? [index] : []))
  return { incident, moderation: { ...EMPTY_MODERATION_RECORD, official, severity_given: true }, claim }
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

export function isOpen({ status }: Incident): boolean {
  return status === 'reported' || status === 'confirmed'
}

/** The refusal to undo a step after which another has changed the incident. */
export function changedSince(id: string, later: HistoryEntry, what: string): Problem {
  const at = new Date(later.at).toISOString()
  const fields = later.fields.length > 0 ? ` (${later.fields.join(', ')})` : ''
  return new Problem(
    'changed_since',
    `${what} cannot be undone: ${id} was changed since, by the step ${later.step}${fields} of ${later.by.name} at ${at}.`,
  )
}

type StepDetails = Partial<Pick<HistoryEntry, 'fields' | 'other'>> & Partial<Pick<IncidentChange, 'event'>>

/** The change of an incident from one state to the next, with its history entry. */
export function decidedChange(
  step: HistoryStep,
  current: IncidentState,
  { incident, moderation }: IncidentState,
  decision: Decision,
  { event = null, ...details }: StepDetails = {},
): IncidentChange {
  const { version, status } = current.incident
  const changes = fieldChanges(current, { incident, moderation })
  const historyEntry = newHistoryEntry(step, incident.version, decision, { changes, ...details })
  return { incident, event, replaces: { version, status }, moderation, historyEntry }
}

/** The change to the next version with other content; public if the incident is. */
export function contentChange(
  step: HistoryStep,
  current: IncidentState,
  content: IncidentState,
  decision: Decision,
  details: StepDetails = {},
): IncidentChange {
  const { version, status } = current.incident
  const updated_at = timeText(decision.now)
  const incident = orderIncidentFields({ ...content.incident, updated_at, version: version + 1 })
  return decidedChange(step, current, { incident, moderation: content.moderation }, decision, {
    event: status === 'confirmed' ? 'incident.updated' : null,
    fields: publicFields(current.incident, incident),
    ...details,
  })
}

/** Keeps a note in the history of an incident in any status. */
export function keepNote(current: IncidentState, decision: Decision): IncidentChange[] {
  return [decidedChange('note', current, current, decision)]
}

export function newHistoryEntry(
  step: HistoryStep,
  version: number,
  { by, now, note }: Omit<Decision, 'expected'>,
  details: Partial<Pick<HistoryEntry, 'fields' | 'changes' | 'other'>> = {},
): HistoryEntry {
  const id = newIdentifier('step', now, randomBytes)
  return { id, step, version, at: now, by, note, fields: [], changes: [], other: null, ...details }
}

/** Follow from other fields or change with every update; the history does not list them. */
const UNLISTED_FIELDS = new Set('updated_at version category confidence_reasons lga lat lng state'.split(' '))

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

/** Gets the incident as it will be; returns the store that writes the claim, with the answer. */
type Answered = (state: ModeratedIncident) => Promise<Pick<WritableStore, 'desk'>>

/** Claims an incident for the account of the decision. */
export async function claimIncident(
  id: string,
  takesOver: boolean,
  decision: Decision,
  store: Store,
  answered: Answered,
) {
  const { by, now } = decision
  const current = await loadIncident(id, store)
  const { incident, moderation } = current
  const claim: Claim = { accountId: accountOf(decision), name: by.name, until: now + CLAIM_MS }
  const holder = liveClaim(current.claim, now)
  const isTaken = holder !== null && holder.accountId !== claim.accountId
  if (isTaken && !takesOver) checkClaim(current, claim.accountId, now)
  const note = isTaken ? `The claim of ${holder.name} was taken over.` : null
  const historyEntry = newHistoryEntry('take_over', incident.version, { ...decision, note })
  const takeOver = isTaken ? { historyEntry } : null
  const { desk } = await answered({ incident, moderation, claim })
  if (await desk.claim({ incident, moderation, claim, takeOver }, now)) return
  // Another editor was faster.
  checkClaim(await loadIncident(id, store), claim.accountId, now)
  throw new Problem('claimed_by_another', `Another editor has claimed ${id} at the same moment. Read it again.`)
}

/** Ends the account's claim; one that has lapsed or is not there is nothing to end. */
export async function releaseIncident(id: string, decision: Decision, store: Store, answered: Answered): Promise<void> {
  const current = await loadIncident(id, store)
  checkClaim(current, accountOf(decision), decision.now)
  const { desk } = await answered({ ...current, claim: null })
  await desk.release(id, accountOf(decision))
}

function accountOf({ by }: Decision): string {
  if (by.account_id === null) throw new TypeError('a claim needs an account')
  return by.account_id
}
