import type { SendResult } from '../../domain/delivery.ts'
import type { InFlightAttempt, InFlightAttempts } from './attempts/in-flight-attempts.ts'
import { type AttemptEnd, NOTHING_SENT } from './attempts/message-attempts.ts'
import type { LeaseLoop } from './lease-loop.ts'
import type { DeliveryQueues, StartedAttempt } from './queues/delivery-queues.ts'
import type { QueuedDelivery } from './queues/watch-queue.ts'
import type { WatchResponses } from './watch-responses.ts'

export interface AttemptFollowerOptions {
  readonly queues: DeliveryQueues
  readonly leasing: LeaseLoop
  readonly inFlight: InFlightAttempts
  readonly responses: WatchResponses
  /** Called after each attempt: there may be room for others. */
  readonly onEnd: () => void
  readonly onError: (error: unknown) => void
}

/**
 * Follows each attempt to its end: notes the answer, makes room, and queues again what was lost.
 */
export class AttemptFollower {
  readonly #options: AttemptFollowerOptions
  /** Counts how often the leases of this process were taken by others. */
  #dropped = 0

  constructor(options: AttemptFollowerOptions) {
    this.#options = options
  }

  async follow(started: StartedAttempt, makeAttempt: () => Promise<AttemptEnd>): Promise<void> {
    const { inFlight, onEnd, onError } = this.#options
    const attempt = inFlight.add(started)
    const dropped = this.#dropped
    let end = NOTHING_SENT
    try {
      end = await makeAttempt()
    } catch (error) {
      // A read error or a bug. The deliveries are sent again once their leases expire.
      onError(error)
    }
    this.#finish(attempt, end.sent)
    if (dropped === this.#dropped) for (const queued of end.lost) this.#sendAgain(queued)
    onEnd()
  }

  /** Queues none of those again that are in flight: another process has their leases. */
  dropLeased(): void {
    this.#dropped++
  }

  #finish(attempt: InFlightAttempt, sent: SendResult | null): void {
    const { queues, inFlight, responses } = this.#options
    const late = inFlight.end(attempt)
    if (sent !== null) responses.noteAnswer(attempt, sent, late)
    queues.finish(attempt)
  }

  /**
   * Queues a delivery again whose attempt was lost with the sender: its lease still holds. A second
   * loss counts as an attempt, so that a message which ends the sender is not sent for ever.
   */
  #sendAgain(queued: QueuedDelivery): void {
    const { queues, leasing } = this.#options
    if (!leasing.stopped) queues.enqueue({ ...queued, wasLost: true })
  }
}
