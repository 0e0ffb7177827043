import { setTimeout as wait } from 'node:timers/promises'
import { type StreamReader as OpenStream, readStream } from '../../../test/support/readers.ts'
import type { LoggedEvent } from '../event-log.ts'

const RECONNECT_DELAY_MS = 100
/** A heartbeat comes every 15 s; a connection that is silent for longer is dead. */
const SILENCE_MS = 20_000
const SILENCE_CHECK_MS = 1000

/** Follows the event stream and reconnects with `Last-Event-ID` when it ends or falls silent. */
export class ReconnectingStream implements AsyncDisposable {
  readonly #following: Promise<void>
  readonly #streams: OpenStream[] = []
  readonly #stop = new AbortController()

  /** The position from which it started. */
  readonly after: number

  constructor(key: string, url: () => string | null, after: number) {
    this.after = after
    this.#following = this.#follow(key, url, after)
  }

  /** All events, in the order received. */
  get changes(): LoggedEvent[] {
    return this.#streams.flatMap(({ changes }) => changes as unknown as LoggedEvent[])
  }

  /** The sequence numbers of all events, in the order received. */
  get seqs(): number[] {
    return this.changes.map(({ seq }) => seq)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#streams.at(-1)?.[Symbol.asyncDispose]()
    await this.#following
  }

  async #follow(key: string, url: () => string | null, after: number): Promise<void> {
    let position = String(after)
    while (!this.#stop.signal.aborted) {
      const address = url()
      const stream = address === null ? null : await this.#open(address, key, position)
      // An older release knows numbers only.
      if (stream === 'refused') position = String(Number.parseInt(position, 10))
      else if (stream !== null) {
        this.#streams.push(stream)
        await this.#waitForEnd(stream)
        position = stream.changes.at(-1)?.position ?? position
      }
      await wait(RECONNECT_DELAY_MS)
    }
  }

  /** Returns null if the service is not there or not ready. */
  async #open(address: string, key: string, position: string): Promise<OpenStream | 'refused' | null> {
    try {
      const headers = { 'last-event-id': position }
      const stream = await readStream(`${address}/v1/stream`, key, headers)
      if (stream.response.ok) return stream
      await stream[Symbol.asyncDispose]()
      return stream.response.status === 400 ? 'refused' : null
    } catch (error) {
      if (error instanceof TypeError) return null
      throw error
    }
  }

  async #waitForEnd(stream: OpenStream): Promise<void> {
    let ended = false
    const end = stream.ended.then(() => {
      ended = true
    })
    for (let silentMs = 0, blocks = 0; !ended && !this.#stop.signal.aborted; silentMs += SILENCE_CHECK_MS) {
      if (stream.blocks.length > blocks) silentMs = 0
      blocks = stream.blocks.length
      if (silentMs > SILENCE_MS) break
      await Promise.race([end, wait(SILENCE_CHECK_MS)])
    }
    await stream[Symbol.asyncDispose]()
  }
}
