import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'
import type { OwnerHeartbeat, Owners } from '../../store/store.ts'

export interface HeartbeatOptions {
  /** The name of this process among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  /** Returns true only if another process has certainly ended. */
  readonly hasEnded: (owner: string) => boolean
  /** Time between two heartbeats, in milliseconds. */
  readonly intervalMs: number
  readonly onError: (error: unknown) => void
}

/**
 * After this many of our heartbeats without one from a process, it is considered dead. If that is
 * wrong, a few messages are sent twice.
 */
const MAX_MISSED = 4

/**
 * Records that this process is alive, and releases the leases of dead ones, so that alerts need not
 * wait for expiry. On the same machine, `hasEnded` detects a dead process; on others, its missing
 * heartbeats do. Heartbeats are counted, not timed: that trusts no clock, and after a database
 * outage every process has time to return.
 */
export class Heartbeat implements AsyncDisposable {
  readonly #owners: Owners
  readonly #options: HeartbeatOptions
  readonly #sleep: WakeableSleep
  readonly #others = new Map<string, { beats: number; missed: number }>()
  #own: OwnerHeartbeat | null = null
  #finished: Promise<void> = Promise.resolve()

  private constructor(owners: Owners, options: HeartbeatOptions) {
    this.#owners = owners
    this.#options = options
    this.#sleep = new WakeableSleep(options.intervalMs)
  }

  /** Resolves after the first heartbeat: without one, others cannot notice this process's death. */
  static async start(owners: Owners, options: HeartbeatOptions): Promise<Heartbeat> {
    const heartbeat = new Heartbeat(owners, options)
    await heartbeat.#beat()
    heartbeat.#finished = heartbeat.#run()
    return heartbeat
  }

  /** Releases all leases at once, so that other processes need not wait for missing heartbeats. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
    await this.#release(this.#own!).catch(this.#options.onError)
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      await this.#sleep.wait()
      if (!this.#sleep.stopped) await this.#beat().catch(this.#options.onError)
    }
  }

  async #beat(): Promise<void> {
    const { owner } = this.#options
    const heartbeats = await this.#owners.recordHeartbeat(owner)
    this.#own = heartbeats.find((heartbeat) => heartbeat.owner === owner)!
    for (const known of this.#others.keys())
      if (!heartbeats.some((heartbeat) => heartbeat.owner === known)) this.#others.delete(known)
    for (const heartbeat of heartbeats) if (heartbeat.owner !== owner) await this.#checkOther(heartbeat)
  }

  async #checkOther(heartbeat: OwnerHeartbeat): Promise<void> {
    const { owner, beats } = heartbeat
    const seen = this.#others.get(owner)
    const missed = seen?.beats === beats ? seen.missed + 1 : 0
    this.#others.set(owner, { beats, missed })
    if (missed >= MAX_MISSED || this.#options.hasEnded(owner)) await this.#release(heartbeat)
  }

  async #release(heartbeat: OwnerHeartbeat): Promise<void> {
    await this.#owners.releaseLeases(heartbeat, this.#options.clock())
  }
}
