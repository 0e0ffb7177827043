import { setTimeout as wait } from 'node:timers/promises'
import type { NewDelivery } from '../../store/store.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { PlannedDelivery } from '../dispatch/queues/admission/delivery-plan.ts'

/**
 * The fan-out waits this long for room in the dispatcher: handing deliveries over is free, while
 * leasing them from the database adds a third to the work.
 */
const ROOM_TIMEOUT_MS = 250
const ROOM_POLL_MS = 5

/**
 * Plans which deliveries this process sends at once, and waits briefly if it has no room for them.
 */
export class DispatcherRoom {
  readonly #dispatcher: Pick<Dispatcher, 'isPrompt' | 'waiting' | 'plan' | 'postponedUntil'>
  readonly #isStopped: () => boolean
  /** True since the dispatcher had no room in time: then nobody waits for it. */
  #congested = false

  constructor(
    dispatcher: Pick<Dispatcher, 'isPrompt' | 'waiting' | 'plan' | 'postponedUntil'>,
    isStopped: () => boolean,
  ) {
    this.#dispatcher = dispatcher
    this.#isStopped = isStopped
  }

  /**
   * Waits until the dispatcher takes all deliveries whose watches answer. Once that was in vain,
   * nobody waits for it again until it has room: a full queue must not stop the fan-out.
   */
  async plan(deliveries: readonly PlannedDelivery['delivery'][]): Promise<PlannedDelivery[]> {
    const dispatcher = this.#dispatcher
    // Others need not be sent at once, so nobody waits for their room.
    const busyIn = (planned: readonly PlannedDelivery[]) =>
      planned.filter(({ delivery, admission }) => admission === 'busy' && dispatcher.isPrompt(delivery.watchId)).length
    let planned = dispatcher.plan(deliveries)
    let busy = busyIn(planned)
    let polls = this.#congested ? 0 : ROOM_TIMEOUT_MS / ROOM_POLL_MS
    // Planning costs more than looking at the length of the queue.
    for (let enough = dispatcher.waiting - busy; polls > 0 && busy > 0 && !this.#isStopped(); polls--) {
      await wait(ROOM_POLL_MS)
      if (dispatcher.waiting > enough && polls > 1) continue
      planned = dispatcher.plan(deliveries)
      busy = busyIn(planned)
      enough = dispatcher.waiting - busy
    }
    this.#congested = busy > 0
    return planned
  }

  /** With the time when it falls due, if this process does not lease it. */
  withDueTime({ delivery, admission }: PlannedDelivery, now: number): NewDelivery {
    if (admission === 'queue') return delivery
    return { ...delivery, dueAt: admission === 'busy' ? now : this.#dispatcher.postponedUntil(delivery) }
  }
}
