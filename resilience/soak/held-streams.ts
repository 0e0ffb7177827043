import { setTimeout as wait } from 'node:timers/promises'
import { type Random, randomInteger } from '../../src/lib/random.ts'
import { readStream } from '../../test/support/readers.ts'
import { type CheckedClient, UnexpectedStatus } from './checked-client.ts'

const MAX_HELD_MS = 20_000

/** Clients that open a stream, hold it for up to 20 s and disconnect. */
export class HeldStreams {
  readonly #client: CheckedClient
  readonly #random: Random
  opened = 0
  events = 0
  /** Events received twice, or after one with a higher sequence number. */
  outOfOrder = 0

  constructor(client: CheckedClient, random: Random) {
    this.#client = client
    this.#random = random
  }

  /** Returns the time until the response; the stream stays open for a while. */
  async open(stop: AbortSignal): Promise<number> {
    const startedAt = performance.now()
    const stream = await readStream(`${this.#client.url}/v1/stream`, this.#client.key)
    const ms = performance.now() - startedAt
    this.opened++
    if (!stream.response.ok) throw new UnexpectedStatus(`a stream got status ${stream.response.status}`)
    void this.#hold(stream, stop)
    return ms
  }

  async #hold(stream: Awaited<ReturnType<typeof readStream>>, stop: AbortSignal): Promise<void> {
    await using held = stream
    // An abort ends the wait at once.
    await wait(randomInteger(this.#random, 500, MAX_HELD_MS), undefined, { signal: stop }).catch(() => {})
    const seqs = held.changes.map(({ seq }) => seq)
    this.events += seqs.length
    this.outOfOrder += seqs.filter((seq, index) => index > 0 && seq <= seqs[index - 1]!).length
  }
}
