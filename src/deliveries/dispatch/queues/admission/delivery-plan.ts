import type { NewDelivery } from '../../../../store/store.ts'
import type { DeliveryQueues } from '../delivery-queues.ts'
import type { Admission } from './admission.ts'

export interface PlannedDelivery {
  readonly delivery: NewDelivery & { readonly accountId: string }
  readonly admission: Admission
}

/** Admits deliveries before they are written, counting those that it has admitted already. */
export class DeliveryPlan {
  readonly #queues: DeliveryQueues
  readonly #byWatch = new Map<string, number>()
  readonly #byAccount = new Map<string, number>()
  #room: number

  /** Admits at most `room` deliveries. */
  constructor(queues: DeliveryQueues, room: number) {
    this.#queues = queues
    this.#room = room
  }

  add(deliveries: readonly PlannedDelivery['delivery'][]): PlannedDelivery[] {
    return deliveries.map((delivery) => ({ delivery, admission: this.#admission(delivery) }))
  }

  #admission({ watchId, accountId }: PlannedDelivery['delivery']): Admission {
    const ofWatch = this.#byWatch.get(watchId) ?? 0
    const ofAccount = this.#byAccount.get(accountId) ?? 0
    const planned = { ofWatch, ofAccount, inAll: ofAccount }
    const admission = this.#queues.admission({ watchId, accountId, failing: false }, planned)
    if (admission !== 'queue') return admission
    if (this.#room <= 0) return 'busy'
    this.#room--
    this.#byWatch.set(watchId, ofWatch + 1)
    this.#byAccount.set(accountId, ofAccount + 1)
    return 'queue'
  }
}
