import type { SendResult } from '../../domain/delivery.ts'

/**
 * One POST, ready to be sent: what it says was decided before. Plain values only, because it is
 * passed on to another thread.
 */
export interface OutgoingRequest {
  readonly url: string
  /** The time of this attempt, in milliseconds. */
  readonly sentAt: number
  /** Additional headers; they replace those that every message has. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Absent if the receiver verifies no signature. */
  readonly signing?: Signing
}

/** What a signature by Standard Webhooks needs besides the body and the time. */
export interface Signing {
  /** The message's id, the same at every retry. */
  readonly id: string
  /** Every secret that is valid now: the message carries a signature with each. */
  readonly secrets: readonly string[]
}

export interface MessageSender {
  /**
   * Makes one attempt. An endpoint's failure is a result of kind `failed`; it rejects only for a
   * message that cannot be signed, or with `SenderLost`. Resolving the host's name counts for the
   * account.
   */
  post(request: OutgoingRequest, accountId?: string): Promise<SendResult>
  /** Makes ready to send, so that the first message does not wait for it. */
  prepare?(): void
}

/** Nobody knows whether the message was sent: what was sending it has ended. */
export class SenderLost extends Error {
  override readonly name = 'SenderLost'
}
