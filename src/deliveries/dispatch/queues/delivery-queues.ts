import type { FullQueues } from '../../../store/store.ts'
import { type Admission, MAX_WAITING, SLOW_WAITING } from './admission/admission.ts'
import { LeaseExclusions } from './admission/lease-exclusions.ts'
import { WaitingCounts } from './admission/waiting-counts.ts'
import { WatchAdmission, type WatchReference } from './admission/watch-admission.ts'
import { Occupancy } from './occupancy.ts'
import { type InFlightLimits, POOLS, type Pool } from './pool-limits.ts'
import { PROMPT, type ResponseRecord } from './responsiveness.ts'
import { PoolTurns } from './turns/pool-turns.ts'
import type { QueuedDelivery, WatchQueue } from './watch-queue.ts'
import { WatchQueues } from './watch-queues.ts'
import { WatchRecords } from './watch-records.ts'

export interface DeliveryQueuesOptions {
  readonly limits: InFlightLimits
  /** Monotonic, in milliseconds. */
  readonly clock: () => number
  /** Called when an account or a watch that was full has room again. */
  readonly onRefill: () => void
}

/** An attempt that has been given room; `finish` takes it back. */
export interface StartedAttempt {
  readonly queue: WatchQueue
  readonly queued: QueuedDelivery
  pool: Pool
}

/** Which pool starts the next attempt; if it has none to start, the others do, in this order. */
const POOL_TURNS: readonly Pool[] = ['regular', 'regular', 'trial', 'regular', 'regular', 'trial', 'suspended']
/** One start in so many prefers deliveries that are not critical, so that those never stop. */
const REST_FIRST_EVERY = 4

/** Queues deliveries by watch. Accounts have turns, and so have the watches of an account. */
export class DeliveryQueues {
  readonly records = new WatchRecords()
  readonly #limits: InFlightLimits
  readonly #occupancy: Occupancy
  readonly #watches = new WatchQueues(this.records)
  readonly #waiting = new WaitingCounts()
  readonly #admission: WatchAdmission
  readonly #exclusions: LeaseExclusions
  readonly #turns: Readonly<Record<Pool, PoolTurns>> = {
    regular: new PoolTurns(),
    trial: new PoolTurns(),
    suspended: new PoolTurns(),
  }
  #starts = 0
  /** The attempt whose end made the only room; null if there may be more. */
  #onlyRoom: StartedAttempt | null = null

  constructor({ limits, clock, onRefill }: DeliveryQueuesOptions) {
    this.#limits = limits
    this.#occupancy = new Occupancy(limits)
    const { records } = this
    this.#admission = new WatchAdmission({ watches: this.#watches, records, waiting: this.#waiting, clock })
    this.#exclusions = new LeaseExclusions(this.#watches, this.#waiting, onRefill)
  }

  /** Deliveries for watches that answer in time. */
  get waiting(): number {
    return this.#waiting.inPool('regular')
  }

  /** `planned` are those of the watch and of the account that are about to be queued. */
  admission(watch: WatchReference, planned = { ofWatch: 0, ofAccount: 0, inAll: 0 }): Admission {
    return this.#admission.admission(watch, planned)
  }

  /** Returns by how many milliseconds to postpone a delivery of the watch, and takes that turn. */
  postponement(watch: WatchReference): number {
    return this.#admission.postponement(watch)
  }

  /** The accounts and watches of which a lease should bring no more. */
  fullQueues(): FullQueues {
    return this.#exclusions.fullQueues()
  }

  enqueue(queued: QueuedDelivery): void {
    const queue = this.#watches.findOrAdd(queued)
    if (queued.dispatch.delivery.critical) queue.critical.push(queued)
    else queue.rest.push(queued)
    this.#waiting.changeBy(1, queue, queue.pool)
    this.#markReady(queue)
    this.#onlyRoom = null
  }

  /** Starts the next attempt that has room; null if there is none. */
  start(): StartedAttempt | null {
    const restFirst = this.#starts % REST_FIRST_EVERY === REST_FIRST_EVERY - 1
    const preferred = POOL_TURNS[this.#starts % POOL_TURNS.length]!
    const started = this.#startIn(preferred, restFirst) ?? this.#startInOthers(preferred, restFirst)
    if (started !== null) this.#starts++
    return started
  }

  /** True if `start` returned null before it had looked at every watch. */
  get unfinished(): boolean {
    return POOLS.some((pool) => !this.#occupancy.isFull(pool) && this.#turns[pool].unfinished)
  }

  isCrowded(pool: Pool): boolean {
    return this.#occupancy.isFull(pool)
  }

  /** Counts a waiting attempt as suspended; false if too many are. */
  suspend(attempt: StartedAttempt): boolean {
    const { queue, pool } = attempt
    if (pool === 'suspended') return true
    if (!this.#occupancy.canSuspend(queue, pool)) return false
    this.#occupancy.leave(queue, pool)
    this.#occupancy.enter(queue, 'suspended')
    attempt.pool = 'suspended'
    this.#onlyRoom = null
    this.#turns[pool].restart()
    return true
  }

  /** Ends an attempt. */
  finish(attempt: StartedAttempt): void {
    const { queue, pool } = attempt
    // If every watch of the pool has been looked at, none has other room.
    this.#onlyRoom = this.#turns[pool].unfinished ? null : attempt
    queue.inFlight--
    this.#occupancy.leave(queue, pool)
    this.#turns[pool].restart()
    this.#markReady(queue)
    if (queue.idle) this.#removeQueue(queue)
  }

  /** Notes how the watch responds. Returns deliveries that can no longer wait here. */
  setResponse(queue: WatchQueue, response: ResponseRecord): QueuedDelivery[] {
    const { watchId, pool } = queue
    if (response === queue.response) return []
    queue.response = response
    this.records.setResponse(watchId, response)
    if (queue.pool !== pool) {
      this.#turns[pool].removeWatch(queue)
      this.#waiting.changeBy(-queue.waiting, queue, pool)
      this.#waiting.changeBy(queue.waiting, queue, queue.pool)
    }
    this.#onlyRoom = null
    const removed = response === PROMPT ? [] : this.#removeExcess(queue)
    this.#markReady(queue)
    return removed
  }

  /**
   * Takes up to `most` deliveries of the watch that wait, oldest first: they go out with one that
   * has started.
   */
  takeWaiting(queue: WatchQueue, most: number): QueuedDelivery[] {
    const taken = [...queue.critical.splice(0, most)]
    taken.push(...queue.rest.splice(0, most - taken.length))
    if (taken.length === 0) return taken
    this.#waiting.changeBy(-taken.length, queue, queue.pool)
    // Its turn may have been that of a critical delivery.
    this.#turns[queue.pool].removeWatch(queue)
    this.#markReady(queue)
    this.#exclusions.endIfRefillable(queue)
    return taken
  }

  clear(): void {
    for (const queue of this.#watches.all()) {
      this.#waiting.changeBy(-queue.waiting, queue, queue.pool)
      queue.critical.length = 0
      queue.rest.length = 0
      if (queue.idle) this.#removeQueue(queue)
    }
    this.#onlyRoom = null
    for (const pool of POOLS) this.#turns[pool].clear()
  }

  #startInOthers(preferred: Pool, restFirst: boolean): StartedAttempt | null {
    for (const pool of POOLS) {
      const started = pool === preferred ? null : this.#startIn(pool, restFirst)
      if (started !== null) return started
    }
    return null
  }

  #startIn(pool: Pool, restFirst: boolean): StartedAttempt | null {
    if (this.#occupancy.isFull(pool)) return null
    const turns = this.#turns[pool]
    const queue = turns.next(
      restFirst,
      (candidate) => !this.#isAtLimit(candidate) && this.#occupancy.hasRoom(candidate, pool),
    )
    if (queue === null) return null
    if (this.#isSameRoom(queue, pool)) turns.settleLast()
    this.#onlyRoom = null
    const queued = queue.critical.shift() ?? queue.rest.shift()!
    this.#waiting.changeBy(-1, queue, pool)
    queue.inFlight++
    this.#occupancy.enter(queue, pool)
    this.#markReady(queue)
    this.#exclusions.endIfRefillable(queue)
    return { queue, queued, pool }
  }

  /** Whether an attempt of the watch takes exactly the room that has become free. */
  #isSameRoom(queue: WatchQueue, pool: Pool): boolean {
    return this.#onlyRoom?.pool === pool && this.#onlyRoom.queue.accountAtHost === queue.accountAtHost
  }

  #isAtLimit(queue: WatchQueue): boolean {
    return queue.waiting === 0 || queue.inFlight >= this.#limits.perWatch[queue.response.state]
  }

  #markReady(queue: WatchQueue): void {
    if (!this.#isAtLimit(queue)) this.#turns[queue.pool].addWatch(queue)
  }

  /** A silent watch keeps none: its next attempt has a time. A slow one keeps few. */
  #removeExcess(queue: WatchQueue): QueuedDelivery[] {
    const kept = { unproven: MAX_WAITING, prompt: MAX_WAITING, slow: SLOW_WAITING.perWatch, silent: 0 }[
      queue.response.state
    ]
    const before = queue.waiting
    const removed = [...queue.rest.splice(Math.max(0, kept - queue.critical.length)), ...queue.critical.splice(kept)]
    this.#waiting.changeBy(queue.waiting - before, queue, queue.pool)
    if (queue.waiting === 0) this.#turns[queue.pool].removeWatch(queue)
    return removed
  }

  #removeQueue(queue: WatchQueue): void {
    for (const pool of POOLS) this.#turns[pool].removeWatch(queue)
    this.#watches.remove(queue)
  }
}
