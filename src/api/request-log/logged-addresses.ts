import { createHmac } from 'node:crypto'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { clientNetwork } from '../../lib/network.ts'

export const ADDRESS_MODES = ['hashed', 'full', 'none'] as const
export type AddressMode = (typeof ADDRESS_MODES)[number]

const DAY_MS = 86_400_000
const HASH_LENGTH = 12
const SALT_BYTES = 32
const MAX_REMEMBERED = 10_000

/**
 * What the log says about a client's address. A hash tells the requests of one client from those of
 * others for a day. Its salt is never written anywhere: without it, all 2^32 addresses could be
 * tried.
 */
export class LoggedAddresses {
  readonly #mode: AddressMode
  readonly #randomBytes: (count: number) => Uint8Array
  readonly #hashes = new BoundedCache<string, string>(MAX_REMEMBERED)
  #salt: Uint8Array = new Uint8Array()
  #day = Number.NaN

  constructor(mode: AddressMode, randomBytes: (count: number) => Uint8Array) {
    this.#mode = mode
    this.#randomBytes = randomBytes
  }

  /** Null if nothing is logged. `address` is called only if it is needed. */
  textOf(address: () => string, now: number): string | null {
    if (this.#mode === 'none') return null
    return this.#mode === 'full' ? address() : this.#hashOf(address(), now)
  }

  /** Of the network that limits count as one client: the /64 of an IPv6 address. */
  #hashOf(address: string, now: number): string {
    const day = Math.floor(now / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#salt = this.#randomBytes(SALT_BYTES)
      this.#hashes.clear()
    }
    let hashed = this.#hashes.get(address)
    if (hashed === undefined) {
      hashed = createHmac('sha256', this.#salt).update(clientNetwork(address)).digest('hex').slice(0, HASH_LENGTH)
      this.#hashes.set(address, hashed)
    }
    return hashed
  }
}
