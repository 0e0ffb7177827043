import type { ServerResponse } from 'node:http'
import type { LiveFilter } from '../query/filter/filter.ts'

/** What a reader has asked for. */
export interface StreamSubscription {
  readonly filter: LiveFilter
  /** The filter in its one canonical text. */
  readonly filterText: string
  /** The last event that the reader has; null where it wants what comes from now on. */
  readonly after: number | null
  /** The hash of the key that it came with. */
  readonly keyHash: string
  /** Whether that key still holds. */
  readonly isKeyValid: () => boolean | Promise<boolean>
}

export interface StreamPosition {
  /** It is told of events after this one. */
  readonly after: number
  readonly endsAt: number
  /** Which of the sweeps looks after it. */
  readonly portion: number
}

/** One open stream. It has no timer of its own: whoever keeps it looks after it in turn with all others. */
export class StreamConnection implements StreamPosition {
  readonly subscription: StreamSubscription
  readonly after: number
  readonly endsAt: number
  readonly portion: number
  readonly #response: ServerResponse
  #stalled = false
  #foundStalled = false

  constructor(response: ServerResponse, subscription: StreamSubscription, { after, endsAt, portion }: StreamPosition) {
    this.#response = response
    this.subscription = subscription
    this.after = after
    this.endsAt = endsAt
    this.portion = portion
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded
  }

  /** The bytes that the reader has not taken yet; those that the network has under way are not counted. */
  get bufferedBytes(): number {
    return this.#response.writableLength
  }

  write(bytes: Buffer): void {
    if (this.isOpen) this.#response.write(bytes)
  }

  /** Resolves when more can be written, or nothing ever will. */
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

  /** Whether what was written has been waiting since this was last asked. */
  stillStalled(): boolean {
    const before = this.#foundStalled
    this.#foundStalled = this.#stalled
    return before && this.#stalled
  }

  /** Says goodbye; a reader with something still waiting is cut off, since it might never take it. */
  end(goodbye: Buffer): void {
    if (this.bufferedBytes > 0) this.disconnect()
    else if (this.isOpen) this.#response.end(goodbye)
  }

  disconnect(): void {
    this.#response.destroy()
  }
}
