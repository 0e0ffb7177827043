import type { ServerResponse } from 'node:http'
import type { StreamFilter } from '../filter/filter/filter.ts'

export interface StreamSubscription {
  readonly filter: StreamFilter
  /** The filter's canonical text. */
  readonly filterText: string
  /** The last event that the client has; null for future events only. */
  readonly after: number | null
  readonly keyHash: string
  readonly isKeyValid: () => boolean | Promise<boolean>
}

export interface StreamPosition {
  /** The client receives events after this one. */
  readonly after: number
  readonly endsAt: number
  readonly heartbeatGroup: number
}

/** One open stream. It has no timer: `Streams` sends the heartbeats of all connections. */
export class StreamConnection<Subscription = StreamSubscription> implements StreamPosition {
  readonly subscription: Subscription
  readonly after: number
  readonly endsAt: number
  readonly heartbeatGroup: number
  readonly #response: ServerResponse
  #stalled = false
  #foundStalled = false

  constructor(response: ServerResponse, subscription: Subscription, { after, endsAt, heartbeatGroup }: StreamPosition) {
    this.#response = response
    this.subscription = subscription
    this.after = after
    this.endsAt = endsAt
    this.heartbeatGroup = heartbeatGroup
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded
  }

  /** Bytes not yet passed to the operating system. */
  get bufferedBytes(): number {
    return this.#response.writableLength
  }

  write(bytes: Buffer): void {
    if (this.isOpen) this.#response.write(bytes)
  }

  /** Resolves when more can be written or the connection has closed. */
  async waitForDrain(): Promise<void> {
    const response = this.#response
    if (!response.writableNeedDrain) return
    this.#stalled = true
    await new Promise<void>((resolve) => {
      const done = () => {
        response.off('drain', done).off('close', done)
        resolve()
      }
      response.on('drain', done).on('close', done)
    })
    this.#stalled = false
    this.#foundStalled = false
  }

  /** Returns whether the client has read nothing since the previous call. */
  stillStalled(): boolean {
    const before = this.#foundStalled
    this.#foundStalled = this.#stalled
    return before && this.#stalled
  }

  /** Ends with a last frame. Disconnects a client with unread bytes: it might never read them. */
  end(lastFrame: Buffer): void {
    if (this.bufferedBytes > 0) this.disconnect()
    else if (this.isOpen) this.#response.end(lastFrame)
  }

  disconnect(): void {
    this.#response.destroy()
  }
}
