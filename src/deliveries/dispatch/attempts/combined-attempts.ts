import { combineMessages } from '../../../domain/message-content.ts'
import type { Deliveries, Dispatch, EventLog } from '../../../store/store.ts'
import type { AlertAdmission } from '../../alerts/alert-cap.ts'
import { ALERTS_ACCOUNT_ID } from '../../alerts/alerts.ts'
import type { MessageWatch } from '../../channels/alert.ts'
import { addressOf } from '../../send/message.ts'
import type { StartedAttempt } from '../queues/delivery-queues.ts'
import type { QueuedDelivery } from '../queues/watch-queue.ts'
import { goesTogether } from '../scheduled-delivery.ts'
import type { AttemptOutcomes } from './attempt-outcomes.ts'
import { withCompanions } from './companions.ts'
import { firstNewsOf } from './first-news.ts'
import { type AttemptEnd, type MessageAttempts, type MessagePart, NOTHING_SENT } from './message-attempts.ts'

export interface CombinedAttemptsOptions {
  readonly events: Pick<EventLog, 'ofIncident'>
  readonly deliveries: Pick<Deliveries, 'leaseOfWatch' | 'companions' | 'leaseTogether' | 'list'>
  readonly messages: MessageAttempts
  readonly outcomes: AttemptOutcomes
  readonly alerts: AlertAdmission
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

/**
 * Sends one message for several deliveries: all of a watch that are due, or all of an event for one
 * person.
 */
export class CombinedAttempts {
  readonly #options: CombinedAttemptsOptions
  /** Deliveries that a message is about to be made of, by watch. */
  readonly #gathering = new Map<string, QueuedDelivery[]>()

  constructor(options: CombinedAttemptsOptions) {
    this.#options = options
  }

  /**
   * Adds a delivery to the message that is about to be made for its watch; false if there is none.
   */
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
    const parts = await this.#partsOf(gathered)
    const { told, covered, cancelled } = isAccountDeleted(dispatch.accountId)
      ? { told: [], covered: [], cancelled: parts }
      : combineMessages(parts)
    outcomes.cancel(cancelled.map(({ delivery }) => delivery))
    const all = [...told, ...covered]
    if (told.length === 0 || !(await this.#isAdmitted(all))) return NOTHING_SENT
    const [first, ...further] = await Promise.all(told.map((part) => messages.contentOf(part, covered)))
    const main = told[0]!.queued.dispatch
    return messages.send(main, { ...first!, further, others: otherWatches(main, all) }, all)
  }

  /**
   * As for a single delivery. Alerts have no schedule, so all are of one event: it is one message.
   */
  async #isAdmitted(parts: readonly MessagePart[]): Promise<boolean> {
    const { delivery, accountId } = parts[0]!.queued.dispatch
    if (accountId !== ALERTS_ACCOUNT_ID) return true
    const { alerts, outcomes } = this.#options
    const admission = await alerts.admit(delivery.kind, parts[0]!.document!)
    const deliveries = parts.map(({ queued }) => queued.dispatch.delivery)
    if (admission === 'outdated') outcomes.cancel(deliveries)
    else if (admission !== 'now') outcomes.postpone(deliveries, admission)
    return admission === 'now'
  }

  async #gather(queued: QueuedDelivery, others: readonly QueuedDelivery[]): Promise<readonly QueuedDelivery[]> {
    const gathered = goesTogether(queued.dispatch) ? await this.#gatherDue(queued, others) : [queued]
    if (!queued.dispatch.endpoint.sharesReceiver) return gathered
    return this.#options.released(await withCompanions(gathered, this.#options))
  }

  /** Leases what else is due for the watch; what is started meanwhile joins. */
  async #gatherDue(queued: QueuedDelivery, others: readonly QueuedDelivery[]): Promise<QueuedDelivery[]> {
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

  async #partsOf(gathered: readonly QueuedDelivery[]) {
    const { messages, clock } = this.#options
    const parts = await Promise.all(gathered.map((queued) => messages.read(queued)))
    const first = await firstNewsOf(parts, this.#options, clock())
    return parts.map((part) => ({
      ...part,
      delivery: part.queued.dispatch.delivery,
      incidentId: part.event.incidentId,
      isFirst: first.has(part),
    }))
  }
}

/** The watches that the message is for besides its own, by id. */
function otherWatches({ delivery }: Dispatch, parts: readonly MessagePart[]): MessageWatch[] {
  const watches = new Map(parts.map(({ queued: { dispatch } }) => [dispatch.delivery.watchId, dispatch]))
  watches.delete(delivery.watchId)
  return [...watches]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([watchId, { delivery, endpoint }]) => ({
      watchId,
      watchName: delivery.watchName,
      target: addressOf(endpoint.secrets),
    }))
}
