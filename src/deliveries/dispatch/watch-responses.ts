import { isMessenger } from '../../domain/channel.ts'
import type { SendResult } from '../../domain/delivery.ts'
import type { PostponedDeliveries } from './postponed-deliveries.ts'
import type { Postponement } from './postponement.ts'
import type { DeliveryQueues, StartedAttempt } from './queues/delivery-queues.ts'
import {
  type Observation,
  PROMPT,
  type ResponseRecord,
  recordAfter,
  recordWhileWaiting,
} from './queues/responsiveness.ts'
import type { WatchQueue } from './queues/watch-queue.ts'

export interface WatchResponsesOptions {
  readonly queues: DeliveryQueues
  readonly postponed: PostponedDeliveries
  /** Gives back deliveries that can no longer wait here. */
  readonly postponement: Postponement
}

/** Notes how promptly each watch's endpoint answers, and sends what waited for it once it does. */
export class WatchResponses {
  readonly #options: WatchResponsesOptions

  constructor(options: WatchResponsesOptions) {
    this.#options = options
  }

  /** Of an attempt that is late and goes on. */
  noteWaiting({ queue }: StartedAttempt): void {
    this.#setResponse(queue, recordWhileWaiting(queue.response))
  }

  noteAnswer({ queue, queued }: StartedAttempt, sent: SendResult, late: boolean): void {
    const observed = observationOf(sent, late)
    this.#setResponse(queue, recordAfter(queue.response, observed, performance.now()))
    // Another process may have postponed more of this watch, which answers.
    const { postponed, endpoint } = queued.dispatch
    // But not of a channel that is paced: each of its messages has its time.
    if (postponed && observed === 'prompt' && !isMessenger(endpoint.channel))
      this.#options.postponed.hasten(queue.watchId)
  }

  #setResponse(queue: WatchQueue, response: ResponseRecord): void {
    const { queues, postponed, postponement } = this.#options
    // Deliveries that were postponed while the watch was in trouble, by a process before this one
    // too, can be sent.
    const recovered = response === PROMPT && queue.response !== PROMPT
    for (const { dispatch } of queues.setResponse(queue, response)) postponement.postpone(dispatch)
    if (recovered) postponed.hasten(queue.watchId)
  }
}

function observationOf({ kind }: SendResult, late: boolean): Observation {
  if (kind === 'failed') return 'none'
  return late ? 'late' : 'prompt'
}
