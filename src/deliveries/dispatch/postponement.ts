import type { Dispatch } from '../../store/store.ts'
import type { PostponedDeliveries } from './postponed-deliveries.ts'
import type { DeliveryQueues } from './queues/delivery-queues.ts'
import type { QueuedDelivery } from './queues/watch-queue.ts'
import { heldUntil } from './scheduled-delivery.ts'

export interface PostponementOptions {
  readonly queues: DeliveryQueues
  readonly postponed: PostponedDeliveries
  readonly clock: () => number
}

/** Decides until when a leased delivery that cannot be sent now is given back. */
export class Postponement {
  readonly #options: PostponementOptions

  constructor(options: PostponementOptions) {
    this.#options = options
  }

  /** Gives a delivery back until there is a turn for its watch. */
  postpone({ delivery, accountId, failing }: Dispatch): void {
    const { queues, postponed, clock } = this.#options
    const delay = queues.postponement({ watchId: delivery.watchId, accountId, failing })
    postponed.postpone(delivery.id, clock() + delay)
  }

  /**
   * Gives back what the schedule of its watch still holds, by a retry or since the watch was
   * changed; returns the rest.
   */
  released(queued: readonly QueuedDelivery[]): QueuedDelivery[] {
    const { postponed, clock } = this.#options
    const now = clock()
    return queued.filter(({ dispatch }) => {
      const until = heldUntil(dispatch, now)
      if (until !== null) postponed.postpone(dispatch.delivery.id, until)
      return until === null
    })
  }
}
