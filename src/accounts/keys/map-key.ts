import { hash } from 'node:crypto'
import { derivedIdentifier } from '../../domain/identifier.ts'
import type { Store } from '../../store/store.ts'
import { makeAccount, makeKey } from './issue.ts'

const DAY_MS = 86_400_000
const VALID_MS = 7 * DAY_MS
/** An open page keeps the key it was loaded with, so the key must stay valid for days. */
const RENEW_BELOW_MS = 4 * DAY_MS
/** One account for the map of all nodes. */
export const MAP_ACCOUNT_ID = derivedIdentifier('account', hash('sha256', 'the public map', 'buffer'))
/** Only the service itself adds keys here: one for each start of a node. */
const NO_CAP = { valid: Number.MAX_SAFE_INTEGER, perDay: Number.MAX_SAFE_INTEGER }
/** The service's own page: each visitor is limited by address, all of them together are not. */
const LIMITS = { publishable_requests_per_minute: 100_000_000 }

/**
 * The public map's key. The database holds only hashes, so every process issues its own key, and
 * the next one long before that expires.
 */
export class MapKey {
  #text: string | null = null
  #expiresAt = 0

  /** Null until the first key is issued. */
  get text(): string | null {
    return this.#text
  }

  /** Issues a key if there is none, or the current one expires soon. */
  async renew(store: Store, now: number): Promise<void> {
    if (this.#expiresAt - now > RENEW_BELOW_MS) return
    const expiresAt = now + VALID_MS
    const account = makeAccount({ email: null, name: 'Map' }, {}, now)
    await store.accounts.ensure({ ...account, id: MAP_ACCOUNT_ID, limits: LIMITS })
    const { key, text } = makeKey(MAP_ACCOUNT_ID, { kind: 'publishable', name: 'Map', expiresAt }, now)
    await store.keys.add(key, NO_CAP)
    this.#text = text
    this.#expiresAt = expiresAt
  }
}
