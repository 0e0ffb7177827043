import assert from 'node:assert/strict'
import { type Account, type Passkey, SESSION_LIFETIME_MS, type Session } from '../../src/domain/accounts.ts'
import type { Delivery, DeliveryStatus } from '../../src/domain/delivery.ts'
import type { Incident } from '../../src/domain/incident.ts'
import type { Key } from '../../src/domain/keys.ts'
import { EMPTY_MODERATION_RECORD, type HistoryEntry } from '../../src/domain/moderation.ts'
import type { NewsItem, ProposedSource } from '../../src/domain/sources.ts'
import type { NewWatch, Watch } from '../../src/domain/watch.ts'
import {
  AT_ANY_TIME,
  type AttemptResult,
  type ClaimRequest,
  type DeliveryPosition,
  type DeliveryQuery,
  type Dispatch,
  type FullQueues,
  type Idempotency,
  type IdempotencyClaim,
  type IncidentChange,
  type ItemWrite,
  type LogEvent,
  type NewDelivery,
  type NewSource,
  type Signup,
  type Snapshot,
  type Store,
  StoreUnavailable,
} from '../../src/store/store.ts'
import { anIncident } from '../support/incident.ts'

export const NOW = Date.UTC(2026, 10, 15)

export function created(number: number, changes: Partial<Incident> = {}): IncidentChange {
  return { incident: anIncident(number, changes), event: 'incident.created' }
}

export function imported(number: number, changes: Partial<Incident> = {}): IncidentChange {
  return { incident: anIncident(number, changes), event: 'incident.imported' }
}

export function updated(number: number, version: number, changes: Partial<Incident> = {}): IncidentChange {
  return { incident: anIncident(number, { ...changes, version }), event: 'incident.updated' }
}

export function retracted(number: number, version: number, changes: Partial<Incident> = {}): IncidentChange {
  return { incident: anIncident(number, { ...changes, version, status: 'retracted' }), event: 'incident.retracted' }
}

/** A change that is not public. */
export function reported(number: number): IncidentChange {
  const incident = { ...anIncident(number, { status: 'reported' }), confirmed_at: null, published_at: null }
  return { incident, event: null }
}

export function aHistoryEntry(changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id: 'stp_1',
    step: 'report',
    version: 1,
    at: NOW,
    by: { key_id: 'key_1', account_id: 'acc_1', name: 'Desk Kaduna' },
    note: null,
    fields: [],
    changes: [],
    other: null,
    ...changes,
  }
}

export function anAccount(number = 1, changes: Partial<Account> = {}): Account {
  return {
    id: `acc_${number}`,
    email: `reader${number}@example.org`,
    ownsEmail: false,
    emailVerifiedAt: null,
    name: 'Ada Obi',
    role: 'client',
    status: 'active',
    limits: {},
    createdAt: NOW,
    ...changes,
  }
}

/** An account that has proved its address. */
export function anOwner(number = 1, changes: Partial<Account> = {}): Account {
  return anAccount(number, { ownsEmail: true, emailVerifiedAt: NOW, ...changes })
}

export function aKey(number = 1, changes: Partial<Key> = {}): Key {
  return {
    id: `key_${number}`,
    accountId: 'acc_1',
    kind: 'live',
    name: 'My laptop',
    hash: `hash-of-${number}`,
    hint: 'x1Yz',
    scopes: ['read', 'watch'],
    origins: [],
    ratePerMinute: null,
    createdAt: NOW + number,
    expiresAt: null,
    revokedAt: null,
    fromEnvironment: false,
    ...changes,
  }
}

export function aSignup(number = 1, changes: Partial<Signup> = {}): Signup {
  return {
    tokenHash: `token-${number}`,
    purpose: 'sign_up',
    email: 'ada@example.org',
    name: 'Ada Obi',
    createdAt: NOW,
    expiresAt: NOW + 3_600_000,
    ...changes,
  }
}

export async function documentsOf(snapshot: Snapshot): Promise<string[]> {
  const documents: string[] = []
  for await (const { bytes, ends } of snapshot.chunks) {
    let start = 0
    for (const end of ends) {
      documents.push(Buffer.from(bytes.subarray(start, end)).toString())
      start = end
    }
  }
  return documents
}

export async function wholeLog(store: Store): Promise<LogEvent[]> {
  return store.events.after(0, 1_000_000)
}

/** Polls until the condition holds; the runner's timeout ends a test that waits in vain. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A random generator with a fixed sequence: xorshift. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const HOUR = 3_600_000

/** Claims like the service: answers expire after a day, and a holder counts as lost after 5 s. */
export function claimAs(
  idempotency: Idempotency,
  id: string,
  now: number,
  changes: Partial<ClaimRequest> = {},
): Promise<IdempotencyClaim> {
  const times = { now, expiredBefore: now - 24 * HOUR, lostBefore: now - 5_000, lostAfter: now + 5_000 }
  const request = { id, subject: 'acc_1', fingerprint: 'same', rights: 'read', token: 'token', ...changes }
  return idempotency.claim(request, times)
}

export function aSession(number = 1, changes: Partial<Session> = {}): Session {
  return {
    id: `ses_${number}`,
    accountId: 'acc_1',
    method: 'link',
    keyId: null,
    passkeyId: null,
    hash: `session-hash-${number}`,
    userAgent: 'Firefox',
    createdAt: NOW,
    seenAt: NOW,
    expiresAt: NOW + SESSION_LIFETIME_MS,
    endedAt: null,
    ...changes,
  }
}

export function aPasskey(number = 1, changes: Partial<Passkey> = {}): Passkey {
  return {
    id: `pas_${number}`,
    accountId: 'acc_1',
    credentialId: `credential-${number}`,
    publicKey: 'cose',
    counter: 0,
    transports: ['internal', 'hybrid'],
    name: 'Laptop',
    backedUp: true,
    createdAt: NOW,
    lastUsedAt: null,
    ...changes,
  }
}

/** Two accounts, `acc_1` and `acc_2`, with the keys `key_1` and `key_2`. */
export async function withAccounts(store: Store): Promise<void> {
  for (const number of [1, 2])
    await store.accounts.open(anAccount(number, { role: 'editor' }), aKey(number, { accountId: `acc_${number}` }))
}

export const LEASE = 60_000
export const MAX_WATCHES = 1_000
/** A process with room for everything. */
export const NONE_FULL: FullQueues = { accountIds: [], watchIds: [] }

export function watchId(number: number): string {
  return `wat_${String(number).padStart(6, '0')}`
}

export function aWatch(number = 1, changes: Partial<NewWatch> = {}): NewWatch {
  return {
    id: watchId(number),
    accountId: 'acc_1',
    name: `Roads ${number}`,
    channel: 'webhook',
    url: `https://host${number}.example/hook`,
    description: null,
    filter: { given: '{"state":"kaduna"}', canonical: '{"state":["NG-KD"]}' },
    events: ['incident.created'],
    status: 'active',
    disabledReason: null,
    secrets: [{ secret: `whsec_${number}`, expiresAt: null }],
    headers: [],
    schedule: null,
    createdAt: NOW + number,
    updatedAt: NOW + number,
    ...changes,
  }
}

/** The watch as it is stored before any event or delivery. */
export function stored(watch: NewWatch, changes: Partial<Watch> = {}): Watch {
  return { ...watch, createdSeq: 0, sequence: 0, failingSince: null, ...changes }
}

/** Two accounts, the first with watches 1 to `count`. */
export async function withWatches(store: Store, count: number, changes: Partial<NewWatch> = {}): Promise<void> {
  await store.accounts.open(anAccount(1), aKey(1))
  await store.accounts.open(anAccount(2), aKey(2, { accountId: 'acc_2' }))
  for (let number = 1; number <= count; number++) await store.watches.add(aWatch(number, changes), MAX_WATCHES)
}

export function deliveryId(watch: number, event: number): string {
  return `msg_${String(event).padStart(6, '0')}_${String(watch).padStart(6, '0')}`
}

export function newDelivery(watch: number, event: number, changes: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id: deliveryId(watch, event),
    watchId: watchId(watch),
    eventSeq: event,
    kind: 'incident.created',
    critical: false,
    ...changes,
  }
}

/** Appends events until the log ends at `seq`. */
export async function appendTo(store: Store, seq: number): Promise<void> {
  const { seq: before } = await store.events.head()
  await store.incidents.save(
    Array.from({ length: seq - before }, (_, index) => created(before + index + 1)),
    NOW,
  )
}

export function result(deliveryId: string, changes: Partial<AttemptResult> = {}): AttemptResult {
  return {
    deliveryId,
    watchId: watchId(Number(deliveryId.slice(-6))),
    url: `https://host${Number(deliveryId.slice(-6))}.example/hook`,
    at: NOW,
    duration: 12,
    outcome: 'delivered',
    statusCode: 200,
    contentSeq: null,
    answer: 'ok',
    error: null,
    retryAt: null,
    ...changes,
  }
}

export function refused(deliveryId: string, changes: Partial<AttemptResult> = {}): AttemptResult {
  return result(deliveryId, { outcome: 'refused', statusCode: 500, answer: 'no', retryAt: NOW + 5_000, ...changes })
}

export function idsOf(dispatches: readonly Dispatch[] | null): string[] {
  return (dispatches ?? []).map((dispatch) => dispatch.delivery.id)
}

/** Leases deliveries for one node and returns their ids. */
export async function leased(store: Store, now = NOW, limit = 100, except = NONE_FULL): Promise<string[]> {
  return idsOf((await store.deliveries.lease('node', now, now + LEASE, limit, except)).dispatches)
}

/** Asks for everything, of watch 1. */
export function deliveryQuery(changes: Partial<DeliveryQuery> = {}): DeliveryQuery {
  return {
    watchIds: [watchId(1)],
    status: null,
    kind: null,
    eventSeqs: null,
    afterSeq: 0,
    tests: AT_ANY_TIME,
    before: null,
    limit: 100,
    ...changes,
  }
}

/** The deliveries of one watch, newest event first. */
export async function listedDeliveries(
  store: Store,
  accountId: string,
  watchId: string,
  status: DeliveryStatus | null,
  limit: number,
  before: DeliveryPosition | null,
): Promise<Delivery[]> {
  const query = deliveryQuery({ watchIds: [watchId], status, limit, before })
  return (await store.deliveries.list(accountId, query)).map(({ delivery }) => delivery)
}

export const MAX_SOURCES = 10

export function aSource(number = 1, changes: Partial<NewSource> = {}): NewSource {
  return {
    id: `src_${number}`,
    kind: 'feed',
    url: `https://news.example.org/${number}`,
    urlKey: `key ${number}`,
    publisher: `Herald ${number}`,
    everyMinutes: 15,
    paused: false,
    createdAt: NOW,
    dueAt: NOW,
    ...changes,
  }
}

export function anItem(number = 1, changes: Partial<NewsItem> = {}): NewsItem {
  return {
    id: `itm_${number}`,
    sourceId: 'src_1',
    state: 'no_incident',
    title: `Story ${number}`,
    url: `https://news.example.org/story/${number}`,
    publishedAt: NOW - 1000,
    firstSeenAt: NOW + number,
    incidentIds: [],
    duplicateOf: null,
    ...changes,
  }
}

export function anItemWrite(number = 1, changes: Partial<ItemWrite> = {}): ItemWrite {
  return {
    item: anItem(number),
    urlKey: `story ${number}`,
    fingerprint: null,
    bands: [],
    gist: '',
    reports: [],
    proposals: [],
    unplaced: null,
    ...changes,
  }
}

export function aProposal(number = 1, changes: Partial<ProposedSource> = {}): ProposedSource {
  return {
    id: `prp_${number}`,
    incidentId: anIncident(1).id,
    itemId: `itm_${number}`,
    state: 'open',
    proposedAt: NOW + number,
    decidedAt: null,
    score: 0.8,
    reasons: [{ reason: 'lga', finding: 'same', weight: 2 }],
    report: { incident: anIncident(100 + number), moderation: { ...EMPTY_MODERATION_RECORD, text: 'A story' } },
    ...changes,
  }
}

/** Saves as a client does that retries after 503. */
export async function saveUntilDone(store: Store, number: number): Promise<void> {
  for (;;) {
    try {
      await store.incidents.save([created(number)], NOW)
      return
    } catch (error) {
      assert(error instanceof StoreUnavailable, String(error))
    }
  }
}
