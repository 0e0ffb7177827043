import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'
import type { OwnerHeartbeat, Owners } from '../../store/store.ts'

export interface HeartbeatOptions {
  /** This process, among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  /** Whether another process has certainly ended. */
  readonly hasEnded: (owner: string) => boolean
  /** Between two beats, in milliseconds. */
  readonly beatEvery: number
  readonly onError: (error: unknown) => void
}

/** So many beats of ours without one of theirs, and they have died. Taken for dead wrongly, they would send a few messages twice. */
const MISSED = 4

/**
 * Tells the other processes that this one is alive, and frees what one held that is not: alerts must not wait for the leases of
 * the dead. On the same machine it is seen that a process has ended; elsewhere its beats are missed. They are counted, not timed: no clock is trusted, and after an outage of the database everybody has time to come back.
 */
export class Heartbeat implements AsyncDisposable {
  readonly #owners: Owners
  readonly #options: HeartbeatOptions
  readonly #rest: WakeableSleep
  readonly #others = new Map<string, { beats: number; missed: number }>()
  #own: OwnerHeartbeat | null = null
  #beating: Promise<void> = Promise.resolve()

  private constructor(owners: Owners, options: HeartbeatOptions) {
    this.#owners = owners
    this.#options = options
    this.#rest = new WakeableSleep(options.beatEvery)
  }

  /** Resolves after the first beat: who holds anything before it could die unnoticed. */
  static async start(owners: Owners, options: HeartbeatOptions): Promise<Heartbeat> {
    const heart = new Heartbeat(owners, options)
    await heart.#beat()
    heart.#beating = heart.#run()
    return heart
  }

  /** Lets go of everything at once: who comes after need not wait until this process is missed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#rest.stop()
    await this.#beating
    await this.#release(this.#own!).catch(this.#options.onError)
  }

  async #run(): Promise<void> {
    while (!this.#rest.stopped) {
      await this.#rest.wait()
      if (!this.#rest.stopped) await this.#beat().catch(this.#options.onError)
    }
  }

  async #beat(): Promise<void> {
    const { owner } = this.#options
    const pulses = await this.#owners.recordHeartbeat(owner)
    this.#own = pulses.find((pulse) => pulse.owner === owner)!
    for (const known of this.#others.keys())
      if (!pulses.some((pulse) => pulse.owner === known)) this.#others.delete(known)
    for (const pulse of pulses) if (pulse.owner !== owner) await this.#watch(pulse)
  }

  async #watch(pulse: OwnerHeartbeat): Promise<void> {
    const { owner, beats } = pulse
    const seen = this.#others.get(owner)
    const missed = seen?.beats === beats ? seen.missed + 1 : 0
    this.#others.set(owner, { beats, missed })
    if (missed >= MISSED || this.#options.hasEnded(owner)) await this.#release(pulse)
  }

  async #release(pulse: OwnerHeartbeat): Promise<void> {
    await this.#owners.releaseLeases(pulse, this.#options.clock())
  }
}
