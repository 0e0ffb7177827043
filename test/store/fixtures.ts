import { type Account, type Passkey, SESSION_LIFETIME_MS, type Session } from '../../src/domain/accounts.ts'
import type { Incident } from '../../src/domain/incident.ts'
import type { Key } from '../../src/domain/keys.ts'
import type { HistoryEntry } from '../../src/domain/lifecycle.ts'
import type {
  ClaimRequest,
  Idempotency,
  IdempotencyClaim,
  IncidentChange,
  LogEvent,
  Signup,
  Snapshot,
  Store,
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
    emailVerifiedAt: null,
    name: 'Ada Obi',
    role: 'client',
    status: 'active',
    limits: {},
    createdAt: NOW,
    ...changes,
  }
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
