import { EventLoopBudget } from '../../lib/event-loop-share.ts'
import type { AttemptFollower } from './attempt-follower.ts'
import { type CombinedAttempts, MAX_TOGETHER } from './attempts/combined-attempts.ts'
import type { SingleAttempts } from './attempts/single-attempts.ts'
import type { ChannelPacing } from './channel-pacing.ts'
import type { LeaseLoop } from './lease-loop.ts'
import type { PostponedDeliveries } from './postponed-deliveries.ts'
import type { Postponement } from './postponement.ts'
import type { DeliveryQueues, StartedAttempt } from './queues/delivery-queues.ts'
import type { QueuedDelivery } from './queues/watch-queue.ts'
import { goesTogether, isCombined } from './scheduled-delivery.ts'

export interface AttemptStarterOptions {
  readonly queues: DeliveryQueues
  readonly leasing: LeaseLoop
  readonly single: SingleAttempts
  readonly combined: CombinedAttempts
  readonly follower: AttemptFollower
  readonly pacing: ChannelPacing
  readonly postponed: PostponedDeliveries
  readonly postponement: Postponement
  readonly clock: () => number
  readonly holdsLeases: () => boolean
}

/** An attempt takes up to 15 s: it is skipped if less than this is left of its lease. */
const LEASE_MARGIN_MS = 20_000
/** Starting an attempt takes about 10 µs. */
const STARTS_PER_TURN = 16

/** Starts attempts for queued deliveries, as long as there is room for them. */
export class AttemptStarter {
  readonly #options: AttemptStarterOptions
  readonly #budget = new EventLoopBudget(STARTS_PER_TURN, () => this.startAttempts())
  #continuing = false

  constructor(options: AttemptStarterOptions) {
    this.#options = options
  }

  /** To be called whenever deliveries were queued, or room for them was made. */
  startAttempts(): void {
    const { queues, leasing, holdsLeases } = this.#options
    if (!holdsLeases()) return
    while (!leasing.stopped && this.#budget.tryStart()) {
      const started = queues.start()
      if (started === null) {
        this.#continueSearch()
        break
      }
      this.#startAttempt(started)
    }
    leasing.wakeIfRoom()
  }

  /** Makes the attempt, or gives the delivery back until its time. */
  #startAttempt(started: StartedAttempt): void {
    const { queues, single, combined, follower, pacing, postponed, postponement, clock } = this.#options
    const { queue, queued } = started
    if (combined.join(queued)) {
      queues.finish(started)
      return
    }
    const [released] = postponement.released([queued])
    if (released === undefined) {
      queues.finish(started)
      return
    }
    const { dispatch, leasedUntil } = queued
    const others = goesTogether(dispatch) ? postponement.released(queues.takeWaiting(queue, MAX_TOGETHER - 1)) : []
    const all = [queued, ...others]
    const paced = pacing.startAt(firstOf(all).dispatch)
    if (paced !== null) {
      for (const each of all) postponed.postpone(each.dispatch.delivery.id, paced)
      queues.finish(started)
    } else if (clock() > leasedUntil - LEASE_MARGIN_MS) {
      for (const each of all) postponement.postpone(each.dispatch)
      queues.finish(started)
    } else
      void follower.follow(started, () =>
        isCombined(dispatch) ? combined.attempt(started, others) : single.attempt(queued),
      )
  }

  /** Looks at further watches in the next turn: thousands may wait without room. */
  #continueSearch(): void {
    if (this.#continuing || !this.#options.queues.unfinished) return
    this.#continuing = true
    setImmediate(() => {
      this.#continuing = false
      this.startAttempts()
    })
  }
}

/** The one whose time the channel keeps, however often they are given back. */
function firstOf(queued: readonly QueuedDelivery[]): QueuedDelivery {
  return queued.reduce((first, each) =>
    each.dispatch.delivery.sequence < first.dispatch.delivery.sequence ? each : first,
  )
}
