import { setTimeout as wait } from 'node:timers/promises'
import { type StreamReader as Reading, readStream } from '../../../test/support/stream.ts'

const PAUSE = 100

/** Somebody who follows the stream, and comes back with the last id where it has ended. */
export class StreamReader implements AsyncDisposable {
  readonly #following: Promise<void>
  readonly #readings: Reading[] = []
  #leaving = false

  constructor(key: string, url: () => string | null, after: number) {
    this.#following = this.#follow(key, url, after)
  }

  /** In the order they came. */
  get seqs(): number[] {
    return this.#readings.flatMap(({ changes }) => changes.map(({ seq }) => seq))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving = true
    await this.#readings.at(-1)?.[Symbol.asyncDispose]()
    await this.#following
  }

  async #follow(key: string, url: () => string | null, after: number): Promise<void> {
    while (!this.#leaving) {
      const last = String(this.seqs.at(-1) ?? after)
      const reading = await readStream(`${url()}/v1/stream`, key, { 'last-event-id': last })
      this.#readings.push(reading)
      await reading.ended
      await wait(PAUSE)
    }
  }
}
