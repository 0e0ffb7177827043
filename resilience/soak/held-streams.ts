import { setTimeout as wait } from 'node:timers/promises'
import { between, type Random } from '../../src/lib/random.ts'
import { readStream } from '../../test/support/stream.ts'
import { type Asking, Unexpected } from './checked-client.ts'

const LONGEST_HELD = 20_000

/** Readers of streams that come, stay a while and go without a word. */
export class HeldStreams {
  readonly #asking: Asking
  readonly #random: Random
  opened = 0
  events = 0
  /** Events that came after one with a higher number, or twice. */
  outOfOrder = 0

  constructor(asking: Asking, random: Random) {
    this.#asking = asking
    this.#random = random
  }

  /** What it took to be answered; the stream is held meanwhile and dropped later. */
  async open(stop: AbortSignal): Promise<number> {
    const began = performance.now()
    const stream = await readStream(`${this.#asking.url}/v1/stream`, this.#asking.key)
    const took = performance.now() - began
    this.opened++
    if (!stream.response.ok) throw new Unexpected(`a stream was answered ${stream.response.status}`)
    void this.#hold(stream, stop)
    return took
  }

  async #hold(stream: Awaited<ReturnType<typeof readStream>>, stop: AbortSignal): Promise<void> {
    await using held = stream
    // Told to stop, it leaves at once.
    await wait(between(this.#random, 500, LONGEST_HELD), undefined, { signal: stop }).catch(() => {})
    const seqs = held.changes.map(({ seq }) => seq)
    this.events += seqs.length
    this.outOfOrder += seqs.filter((seq, index) => index > 0 && seq <= seqs[index - 1]!).length
  }
}
