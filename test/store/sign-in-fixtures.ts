import type { Passkey } from '../../src/domain/accounts/passkey.ts'
import { SESSION_LIFETIME_MS, type Session } from '../../src/domain/accounts/session.ts'
import type { Store } from '../../src/store/store.ts'
import { aKey, anAccount, NOW } from './fixtures.ts'

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
