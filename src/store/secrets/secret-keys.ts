import { hash } from 'node:crypto'

export interface SecretKey {
  /** Stored with everything the key encrypts, so that a wrong key is recognised as such. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** The first key encrypts; all of them decrypt. */
export class SecretKeys {
  readonly current: SecretKey
  readonly #byId: ReadonlyMap<string, SecretKey>

  constructor(keys: readonly Uint8Array[]) {
    const [current, ...older] = keys.map((bytes) => ({ id: idOf(bytes), bytes }))
    if (current === undefined) throw new TypeError('no key was given')
    this.current = current
    this.#byId = new Map([...older, current].map((key) => [key.id, key]))
  }

  find(id: string): SecretKey | undefined {
    return this.#byId.get(id)
  }
}

/** Of a hash with its own prefix: says nothing about the key. */
function idOf(bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from('incident-feed secrets key '), bytes]), 'hex').slice(0, 12)
}
