import type { Store } from '../../store/store.ts'
import { openAccount } from './issue.ts'

const DAY = 86_400_000
const LASTS = 7 * DAY
/** A page that stays open keeps the key it came with: it must hold for days more. */
const LEAST_LEFT = 4 * DAY

/**
 * The publishable key that the public map asks with. Only hashes of keys are kept, so every process issues one of its own,
 * and the next one long before it expires.
 */
export class MapKey {
  #text: string | null = null
  #expiresAt = 0

  /** Null until the first one is issued. */
  get text(): string | null {
    return this.#text
  }

  /** Issues a key where there is none, or where the present one has not long to go. */
  async renew(store: Store, now: number): Promise<void> {
    if (this.#expiresAt - now > LEAST_LEFT) return
    const expiresAt = now + LASTS
    const wish = { kind: 'publishable', name: 'Map', expiresAt } as const
    const { text } = await openAccount(store, { email: null, name: 'Map' }, wish, now)
    this.#text = text
    this.#expiresAt = expiresAt
  }
}
