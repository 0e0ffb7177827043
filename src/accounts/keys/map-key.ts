import type { Store } from '../../store/store.ts'
import { openAccount } from './issue.ts'

const DAY_MS = 86_400_000
const VALID_MS = 7 * DAY_MS
/** An open page keeps the key it was loaded with, so the key must stay valid for days. */
const RENEW_BELOW_MS = 4 * DAY_MS

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
    const keyRequest = { kind: 'publishable', name: 'Map', expiresAt } as const
    const { text } = await openAccount(store, { email: null, name: 'Map' }, keyRequest, now)
    this.#text = text
    this.#expiresAt = expiresAt
  }
}
