import type { Deliveries, PostponedDelivery } from '../store/store.ts'

interface PostponedDeliveriesOptions {
  readonly owner: string
  readonly clock: () => number
  readonly onError: (error: unknown) => void
}

/** Few: a confirmation waits until a batch is written. */
const MAX_BATCH = 100

/**
 * Gives leased deliveries back to the database in batches: those that would wait here for a watch
 * in trouble. Makes them due when the watch answers again.
 */
export class PostponedDeliveries implements AsyncDisposable {
  readonly #deliveries: Pick<Deliveries, 'postpone' | 'makeDueNow'>
  readonly #options: PostponedDeliveriesOptions
  readonly #recovered = new Set<string>()
  #postponed: PostponedDelivery[] = []
  #running: Promise<void> | null = null

  constructor(deliveries: Pick<Deliveries, 'postpone' | 'makeDueNow'>, options: PostponedDeliveriesOptions) {
    this.#deliveries = deliveries
    this.#options = options
  }

  postpone(deliveryId: string, dueAt: number): void {
    this.#postponed.push({ deliveryId, dueAt })
    this.#running ??= this.#run()
  }

  /** Makes the watch's postponed deliveries due. */
  makeDueNow(watchId: string): void {
    this.#recovered.add(watchId)
    this.#running ??= this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // More arrive in the same turn of the event loop.
    await Promise.resolve()
    while (this.#postponed.length > 0 || this.#recovered.size > 0) {
      try {
        const batch = this.#postponed.splice(0, MAX_BATCH)
        if (batch.length > 0) await this.#deliveries.postpone(this.#options.owner, batch)
        for (const watchId of this.#recovered) await this.#makeBatchDue(watchId)
      } catch (error) {
        // The leases expire, and postponed deliveries fall due at their time.
        this.#options.onError(error)
      }
    }
    this.#running = null
  }

  async #makeBatchDue(watchId: string): Promise<void> {
    this.#recovered.delete(watchId)
    const count = await this.#deliveries.makeDueNow(watchId, this.#options.clock(), MAX_BATCH)
    // The next batch waits for its turn behind other watches.
    if (count === MAX_BATCH) this.#recovered.add(watchId)
  }
}
