import { WakeableSleep } from '../../lib/wakeable-sleep.ts'
import type { Deliveries } from '../../store/store.ts'
import { MAX_WAITING } from './queues/admission/admission.ts'
import type { DeliveryQueues } from './queues/delivery-queues.ts'
import type { QueuedDelivery } from './queues/watch-queue.ts'

export interface LeaseLoopOptions {
  readonly owner: string
  readonly clock: () => number
  /** Database poll interval, for lost notifications, in milliseconds. */
  readonly pollIntervalMs: number
  readonly holdsLeases: () => boolean
  readonly queues: DeliveryQueues
  /** Results that are not recorded yet: after a crash, those messages are sent again. */
  readonly unrecorded: () => number
  readonly onLeased: (queued: readonly QueuedDelivery[]) => void
  readonly onError: (error: unknown) => void
}

/** All rows of a lease are parsed in one turn of the event loop, and requests wait meanwhile. */
const LEASE_BATCH = 100
export const LEASE_MS = 60_000

/** Leases due deliveries as long as there is room for them in memory. */
export class LeaseLoop implements AsyncDisposable {
  readonly #deliveries: Pick<Deliveries, 'lease' | 'onDue'>
  readonly #options: LeaseLoopOptions
  readonly #sleep: WakeableSleep
  readonly #finished: Promise<void>
  #moreIsDue = false

  constructor(deliveries: Pick<Deliveries, 'lease' | 'onDue'>, options: LeaseLoopOptions) {
    this.#deliveries = deliveries
    this.#options = options
    this.#sleep = new WakeableSleep(options.pollIntervalMs)
    const stopListening = deliveries.onDue(() => this.#sleep.wake())
    this.#finished = this.#run().finally(stopListening)
  }

  get stopped(): boolean {
    return this.#sleep.stopped
  }

  wake(): void {
    this.#sleep.wake()
  }

  /** Leases more if more is due than was leased, and there is room by now. */
  wakeIfRoom(): void {
    if (this.#moreIsDue && this.#hasRoom()) this.#sleep.wake()
  }

  stop(): void {
    this.#sleep.stop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      try {
        this.#sleep.clearWake()
        this.#moreIsDue = await this.#leaseBatch()
      } catch (error) {
        this.#options.onError(error)
        // Trying again at once would repeat the error: sleep first.
        this.#moreIsDue = false
      }
      if (!this.#moreIsDue || !this.#hasRoom()) await this.#sleep.wait()
    }
  }

  #hasRoom(): boolean {
    const { queues, unrecorded } = this.#options
    return queues.waiting <= MAX_WAITING - LEASE_BATCH && unrecorded() <= MAX_WAITING
  }

  /** Returns whether more deliveries are due. */
  async #leaseBatch(): Promise<boolean> {
    const { owner, clock, holdsLeases, queues, onLeased } = this.#options
    if (!this.#hasRoom()) return true
    if (!holdsLeases()) return false
    const now = clock()
    const leasedUntil = now + LEASE_MS
    const leased = await this.#deliveries.lease(owner, now, leasedUntil, LEASE_BATCH, queues.fullQueues())
    onLeased(leased.dispatches.map((dispatch) => ({ dispatch, leasedUntil })))
    return leased.more
  }
}
