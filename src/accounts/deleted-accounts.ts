import { BoundedCache } from '../lib/bounded-cache.ts'

/** Far more than are deleted while a message waits in memory, which is a minute at most. */
const MAX_REMEMBERED = 10_000

/**
 * Accounts that were deleted lately. A node that has leased messages of such an account must not
 * send them any more, although it has their endpoints in memory.
 */
export class DeletedAccounts {
  readonly #ids = new BoundedCache<string, true>(MAX_REMEMBERED)

  add(ids: readonly string[]): void {
    for (const id of ids) this.#ids.set(id, true)
  }

  has(id: string): boolean {
    return this.#ids.get(id) !== undefined
  }
}
