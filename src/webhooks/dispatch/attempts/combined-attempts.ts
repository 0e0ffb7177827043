import { combineMessages } from '../../../domain/delivery/combined-messages.ts'
import type { Deliveries } from '../../../store/store.ts'
import type { StartedAttempt } from '../queues/delivery-queues.ts'
import type { QueuedDelivery } from '../queues/watch-queue.ts'
import type { AttemptOutcomes } from './attempt-outcomes.ts'
import { type AttemptEnd, type MessageAttempts, NOTHING_SENT } from './message-attempts.ts'

export interface CombinedAttemptsOptions {
  readonly deliveries: Pick<Deliveries, 'leaseOfWatch'>
  readonly messages: MessageAttempts
  readonly outcomes: AttemptOutcomes
  readonly owner: string
  readonly leaseMs: number
  readonly clock: () => number
  readonly holdsLeases: () => boolean
  readonly isAccountDeleted: (accountId: string) => boolean
  /** Gives back what the schedule of its watch still holds, and returns the rest. */
  readonly released: (queued: readonly QueuedDelivery[]) => QueuedDelivery[]
}

/** Deliveries in one message. */
export const MAX_TOGETHER = 200

/** Sends one message for all deliveries of a watch that are due. */
export class CombinedAttempts {
  readonly #options: CombinedAttemptsOptions
  /** Deliveries that a message is about to be made of, by watch. */
  readonly #gathering = new Map<string, QueuedDelivery[]>()

  constructor(options: CombinedAttemptsOptions) {
    this.#options = options
  }

  /** Adds a delivery to the message that is about to be made for its watch; false if there is none. */
  join(queued: QueuedDelivery): boolean {
    const gathering = this.#gathering.get(queued.dispatch.delivery.watchId)
    if (gathering === undefined || gathering.length >= MAX_TOGETHER) return false
    gathering.push(...this.#options.released([queued]))
    return true
  }

  /**
   * Each delivery is recorded with the result: after a crash before that, it is due again, and told
   * again in the next message.
   */
  async attempt({ queued }: StartedAttempt, others: readonly QueuedDelivery[]): Promise<AttemptEnd> {
    const { messages, outcomes, isAccountDeleted } = this.#options
    const { dispatch } = queued
    const gathered = await this.#gather(queued, others)
    const parts = await Promise.all(gathered.map((each) => this.#partOf(each)))
    const { told, covered, cancelled } = isAccountDeleted(dispatch.accountId)
      ? { told: [], covered: [], cancelled: parts }
      : combineMessages(parts)
    outcomes.cancel(cancelled.map(({ delivery }) => delivery))
    const [first, ...further] = await Promise.all(told.map((part) => messages.contentOf(part)))
    if (first === undefined) return NOTHING_SENT
    const { delivery } = told[0]!
    return messages.send({ ...dispatch, delivery }, { ...first, further }, [...told, ...covered])
  }

  /** Leases what else is due for the watch; what is started meanwhile joins. */
  async #gather(queued: QueuedDelivery, others: readonly QueuedDelivery[]): Promise<QueuedDelivery[]> {
    const { deliveries, owner, leaseMs, clock, holdsLeases, released } = this.#options
    const { watchId } = queued.dispatch.delivery
    const gathered = [queued, ...others]
    this.#gathering.set(watchId, gathered)
    try {
      const now = clock()
      const leasedUntil = now + leaseMs
      const room = MAX_TOGETHER - gathered.length
      if (room > 0 && holdsLeases()) {
        const leased = await deliveries.leaseOfWatch(owner, watchId, now, leasedUntil, room)
        gathered.push(...released(leased.map((dispatch) => ({ dispatch, leasedUntil }))))
      }
    } finally {
      this.#gathering.delete(watchId)
    }
    return gathered
  }

  async #partOf(queued: QueuedDelivery) {
    const part = await this.#options.messages.read(queued)
    return { ...part, delivery: queued.dispatch.delivery, incidentId: part.event.incidentId }
  }
}
