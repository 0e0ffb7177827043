import { type Runtime, sleep, type Timer } from '../../lib/runtime.ts'
import { StoreBusy } from '../store.ts'
import { TooManyConnections } from './errors.ts'

interface QueueOptions {
  /** Most connections at a time. */
  readonly connections: number
  /** Longest wait for a connection, in milliseconds. */
  readonly waitMs: number
  readonly runtime: Runtime
}

/** Above this many, a caller is refused at once: it would hardly get a connection in time. */
const MOST_WAITING = 1_000
const FIRST_PAUSE_MS = 25
const MOST_PAUSE_MS = 500
/** After a refusal, one more connection is tried so often. */
const GROW_EVERY_MS = 1_000

/**
 * Lends the connections of a pool. Callers wait in the order in which they came, each until its
 * deadline. If the server refuses a connection because it has too many, this node gives back half
 * of its own and takes one more each second: nodes that share too few connections come to have
 * about as many each, and one that starts finds some.
 */
export class ConnectionQueue implements Disposable {
  readonly #options: QueueOptions
  readonly #waiting: (() => void)[] = []
  /** Connections that may be in use at present. */
  #size: number
  #used = 0
  #growing: Timer | null = null

  constructor(options: QueueOptions) {
    this.#options = options
    this.#size = options.connections
  }

  /** True if more connections are in use than may be: the next one is to be closed. */
  get isOverfull(): boolean {
    return this.#used > this.#size
  }

  /** Returns what `connect` does; the caller calls `giveBack` when it needs it no longer. */
  async take<Connection>(connect: () => Promise<Connection>): Promise<Connection> {
    const { runtime, waitMs } = this.#options
    const deadline = runtime.elapsed() + waitMs
    await this.#place(waitMs, 'push')
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MOST_PAUSE_MS)) {
      try {
        return await connect()
      } catch (error) {
        const left = deadline - runtime.elapsed()
        if (!(error instanceof TooManyConnections) || left <= pause) {
          this.giveBack()
          throw error
        }
        this.#shrink()
        if (this.isOverfull) {
          // Before all who came later, it gets a connection that another caller gives back.
          this.giveBack()
          await this.#place(left, 'unshift')
        } else await sleep(runtime, pause)
      }
    }
  }

  giveBack(): void {
    this.#used--
    this.#admit()
  }

  [Symbol.dispose](): void {
    this.#options.runtime.clear(this.#growing)
  }

  async #place(ms: number, order: 'push' | 'unshift'): Promise<void> {
    if (this.#used < this.#size && this.#waiting.length === 0) {
      this.#used++
      return
    }
    if (this.#waiting.length >= MOST_WAITING) throw new StoreBusy(`${MOST_WAITING} calls wait for a connection`)
    const { runtime } = this.#options
    const place = Promise.withResolvers<void>()
    this.#waiting[order](place.resolve)
    const timer = runtime.setTimeout(() => {
      const index = this.#waiting.indexOf(place.resolve)
      // Without an index it has just been admitted.
      if (index < 0) return
      this.#waiting.splice(index, 1)
      place.reject(new StoreBusy(`No connection was free within ${Math.ceil(this.#options.waitMs / 1000)} s`))
    }, ms)
    await place.promise.finally(() => runtime.clear(timer))
  }

  #admit(): void {
    while (this.#used < this.#size && this.#waiting.length > 0) {
      this.#used++
      this.#waiting.shift()!()
    }
  }

  #shrink(): void {
    this.#size = Math.max(1, Math.min(this.#size, this.#used >> 1))
    this.#growing ??= this.#options.runtime.setTimeout(this.#grow, GROW_EVERY_MS)
  }

  readonly #grow = (): void => {
    this.#size++
    this.#growing =
      this.#size < this.#options.connections ? this.#options.runtime.setTimeout(this.#grow, GROW_EVERY_MS) : null
    this.#admit()
  }
}
