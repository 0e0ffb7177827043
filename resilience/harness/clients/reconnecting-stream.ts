import { setTimeout as wait } from 'node:timers/promises'
import { type StreamReader as OpenStream, readStream } from '../../../test/support/stream.ts'

const RECONNECT_DELAY_MS = 100

/** Follows the event stream and reconnects with `Last-Event-ID` when it ends. */
export class ReconnectingStream implements AsyncDisposable {
  readonly #following: Promise<void>
  readonly #streams: OpenStream[] = []
  #isClosing = false

  constructor(key: string, url: () => string | null, after: number) {
    this.#following = this.#follow(key, url, after)
  }

  /** The sequence numbers of all events, in the order received. */
  get seqs(): number[] {
    return this.#streams.flatMap(({ changes }) => changes.map(({ seq }) => seq))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    await this.#streams.at(-1)?.[Symbol.asyncDispose]()
    await this.#following
  }

  async #follow(key: string, url: () => string | null, after: number): Promise<void> {
    while (!this.#isClosing) {
      const lastEventId = String(this.seqs.at(-1) ?? after)
      const stream = await readStream(`${url()}/v1/stream`, key, { 'last-event-id': lastEventId })
      this.#streams.push(stream)
      await stream.ended
      await wait(RECONNECT_DELAY_MS)
    }
  }
}
