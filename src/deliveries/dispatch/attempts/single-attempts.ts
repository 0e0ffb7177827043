import type { Dispatch } from '../../../store/store.ts'
import type { AlertAdmission } from '../../alerts/alert-cap.ts'
import { ALERTS_ACCOUNT_ID } from '../../alerts/alerts.ts'
import type { QueuedDelivery } from '../queues/watch-queue.ts'
import type { AttemptOutcomes } from './attempt-outcomes.ts'
import { type AttemptEnd, type MessageAttempts, NOTHING_SENT } from './message-attempts.ts'

export interface SingleAttemptsOptions {
  readonly messages: MessageAttempts
  readonly outcomes: AttemptOutcomes
  readonly alerts: AlertAdmission
  readonly isAccountDeleted: (accountId: string) => boolean
}

/** Sends deliveries that have a message each. */
export class SingleAttempts {
  readonly #options: SingleAttemptsOptions

  constructor(options: SingleAttemptsOptions) {
    this.#options = options
  }

  async attempt(queued: QueuedDelivery): Promise<AttemptEnd> {
    const { messages, outcomes, isAccountDeleted } = this.#options
    const { dispatch } = queued
    const part = await messages.read(queued)
    if (part.document === null || isAccountDeleted(dispatch.accountId)) {
      outcomes.cancel([dispatch.delivery])
      return NOTHING_SENT
    }
    if (!(await this.#isAdmitted(dispatch, part.document))) return NOTHING_SENT
    return messages.send(dispatch, await messages.contentOf(part), [part])
  }

  /** False if the message of an alert must wait for the next hour, or says nothing any more. */
  async #isAdmitted({ accountId, delivery }: Dispatch, document: string): Promise<boolean> {
    if (accountId !== ALERTS_ACCOUNT_ID) return true
    const { alerts, outcomes } = this.#options
    const admission = await alerts.admit(delivery.kind, document)
    if (admission === 'outdated') outcomes.cancel([delivery])
    else if (admission !== 'now') outcomes.postpone([delivery], admission)
    return admission === 'now'
  }
}
