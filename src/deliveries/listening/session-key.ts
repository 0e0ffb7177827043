import { createHmac } from 'node:crypto'
import { derivedIdentifier } from '../../domain/identifier.ts'
import { newSecret } from '../send/sign.ts'

/**
 * Signs and numbers the messages of one client that listens to a filter. Derived from its
 * credential, so it is the same after a reconnect and on every node, and nothing is stored.
 */
export class SessionKey {
  readonly secret: string
  readonly #credential: string

  constructor(credential: string) {
    this.#credential = credential
    this.secret = newSecret(() => this.#digest('secret'))
  }

  /** A repeat of the same event has the same id. */
  messageId(seq: number): string {
    return derivedIdentifier('delivery', this.#digest(`message ${seq}`))
  }

  #digest(purpose: string): Buffer {
    return createHmac('sha256', this.#credential).update(`incident-feed listening ${purpose}`).digest()
  }
}
