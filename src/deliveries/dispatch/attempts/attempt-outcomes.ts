import { type ChannelKind, isMessenger } from '../../../domain/channel.ts'
import type { Delivery, SendResult } from '../../../domain/delivery.ts'
import { verdictOn } from '../../../domain/retry.ts'
import type { AttemptResult, Dispatch, LogEvent } from '../../../store/store.ts'
import type { ChannelPacing } from '../channel-pacing.ts'
import type { PostponedDeliveries } from '../postponed-deliveries.ts'
import type { AttemptRecorder } from './attempt-recorder.ts'
import { attemptResultOf, cancellationOf } from './attempt-result.ts'

export interface AttemptOutcomesOptions {
  readonly recorder: AttemptRecorder
  readonly postponed: PostponedDeliveries
  readonly pacing: ChannelPacing
  readonly clock: () => number
  readonly random: () => number
  /** Called after each attempt; `sinceCommit` is the event's age if it was delivered, else null. */
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null, channel: ChannelKind) => void
}

/** A delivery that an attempt was made for. */
export interface AttemptedDelivery {
  readonly dispatch: Dispatch
  readonly event: LogEvent
  readonly contentSeq: number | null
}

/** At least; twice as long at most, so that not all that waited fall due together. */
const MAIL_SERVER_WAIT_MS = 20_000

/** What becomes of deliveries after an attempt, or instead of one. */
export class AttemptOutcomes {
  readonly #options: AttemptOutcomesOptions

  constructor(options: AttemptOutcomesOptions) {
    this.#options = options
  }

  /** Records the result of one message for each delivery that it was of. */
  recordResult(attempted: readonly AttemptedDelivery[], sent: SendResult): void {
    // The same for all, so that a retry finds them together again.
    const chance = this.#options.random()
    for (const each of attempted) this.#recordOne(each, sent, chance)
  }

  #recordOne({ dispatch, event, contentSeq }: AttemptedDelivery, sent: SendResult, chance: number): void {
    const { recorder, pacing, clock, onAttempt } = this.#options
    const { delivery, endpoint } = dispatch
    const now = clock()
    const verdict = verdictOn(sent, delivery.tries + 1, now, () => chance)
    const result = attemptResultOf(delivery, endpoint.url, contentSeq, sent, verdict)
    recorder.addResult(result)
    if (verdict.outcome === 'retry' && isMessenger(endpoint.channel) && sent.kind === 'answered' && sent.status === 429)
      pacing.pause(delivery.watchId, verdict.at)
    onAttempt(result, verdict.outcome === 'delivered' ? now - event.at : null, endpoint.channel)
  }

  /** Ends deliveries without an attempt: what they would say is no longer true. */
  cancel(deliveries: readonly Delivery[]): void {
    const now = this.#options.clock()
    for (const delivery of deliveries) this.#options.recorder.addResult(cancellationOf(delivery, now))
  }

  postpone(deliveries: readonly Delivery[], until: number): void {
    for (const { id } of deliveries) this.#options.postponed.postpone(id, until)
  }

  /** No attempt was made: the receiver had no part in it. */
  waitForMailServer(deliveries: readonly Delivery[]): void {
    const { clock, random } = this.#options
    this.postpone(deliveries, clock() + Math.round(MAIL_SERVER_WAIT_MS * (1 + random())))
  }
}
