import type { FullQueues } from '../../../store/store.ts'
import {
  type Admission,
  admissionOf,
  canRefillAccount,
  isAccountFull,
  MAX_WAITING,
  maxWaitingPerAccount,
  maxWaitingPerWatch,
  nextAccountTurn,
  nextPoolTurn,
  nextWatchTurn,
  SLOW_WAITING,
} from './admission.ts'
import { Occupancy } from './occupancy.ts'
import { type InFlightLimits, POOL_OF, POOLS, type Pool } from './pool-limits.ts'
import { PROMPT, type ResponseRecord } from './responsiveness.ts'
import { Turns } from './turns.ts'
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

/** The watch of a delivery. */
export interface WatchReference {
  readonly watchId: string
  readonly accountId: string
  /** What the database knows: whether the watch's last attempts failed. */
  readonly failing: boolean
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
  readonly #options: DeliveryQueuesOptions
  readonly #occupancy: Occupancy
  readonly #watches = new WatchQueues(this.records)
  readonly #turns: Record<Pool, { readonly critical: Turns; readonly rest: Turns }>
  readonly #waiting: Record<Pool, number> = { regular: 0, trial: 0, suspended: 0 }
  /** Accounts with regular deliveries waiting. */
  #activeAccounts = 0
  #starts = 0
  #nextPoolTurn = 0
  /** The attempt whose end made the only room; null if there may be more. */
  #onlyRoom: StartedAttempt | null = null

  constructor(options: DeliveryQueuesOptions) {
    this.#options = options
    this.#occupancy = new Occupancy(options.limits)
    const turns = () => ({ critical: new Turns(), rest: new Turns() })
    this.#turns = { regular: turns(), trial: turns(), suspended: turns() }
  }

  /** Deliveries for watches that answer in time. */
  get waiting(): number {
    return this.#waiting.regular
  }

  /** `planned` are those of the watch and of the account that are about to be queued. */
  admission(watch: WatchReference, planned = { ofWatch: 0, ofAccount: 0, inAll: 0 }): Admission {
    const queue = this.#watches.find(watch.watchId)
    const account = queue?.accountShare ?? this.#watches.findAccount(watch.accountId)
    const response = queue?.response ?? this.records.responseOf(watch.watchId, watch.failing)
    const pool = POOL_OF[response.state]
    const waiting = {
      pool,
      ofWatch: planned.ofWatch + (queue?.waiting ?? 0),
      inFlightOfWatch: queue?.inFlight ?? 0,
      ofAccount: planned.ofAccount + (account?.waiting[pool] ?? 0),
      inAll: planned.inAll + this.#waiting[pool],
      activeAccounts: this.#activeAccounts,
      activeWatches: account?.watches ?? 0,
      suspendedOfAccount: account?.inFlight.suspended ?? 0,
    }
    return admissionOf(response, waiting, this.#options.clock)
  }

  /** Returns by how many milliseconds to postpone a delivery of the watch, and takes that turn. */
  postponement({ watchId, accountId, failing }: WatchReference): number {
    const now = this.#options.clock()
    const response = this.#watches.find(watchId)?.response ?? this.records.responseOf(watchId, failing)
    const account = this.#watches.findAccount(accountId)
    const accountTurn = nextAccountTurn(account?.nextTurnAt ?? 0, now)
    const watchTurn = nextWatchTurn(response, this.records.nextTurnOf(watchId), now)
    if (account !== undefined) account.nextTurnAt = accountTurn
    this.records.setNextTurn(watchId, watchTurn)
    return Math.round(Math.max(watchTurn, accountTurn, this.#poolTurn(POOL_OF[response.state], now)) - now)
  }

  enqueue(queued: QueuedDelivery): void {
    const queue = this.#watches.findOrAdd(queued)
    if (queued.dispatch.delivery.critical) queue.critical.push(queued)
    else queue.rest.push(queued)
    this.#countWaiting(queue, queue.pool, 1)
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
    return POOLS.some(
      (pool) =>
        !this.#occupancy.isFull(pool) && (this.#turns[pool].critical.unfinished || this.#turns[pool].rest.unfinished),
    )
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
    this.#restartTurns(pool)
    return true
  }

  /** Ends an attempt. */
  finish(attempt: StartedAttempt): void {
    const { queue, pool } = attempt
    this.#onlyRoom = this.#isSearched(pool) ? attempt : null
    queue.inFlight--
    this.#occupancy.leave(queue, pool)
    this.#restartTurns(pool)
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
      this.#removeReady(queue, pool)
      this.#countWaiting(queue, pool, -queue.waiting)
      this.#countWaiting(queue, queue.pool, queue.waiting)
    }
    this.#onlyRoom = null
    const removed = response === PROMPT ? [] : this.#removeExcess(queue)
    this.#markReady(queue)
    return removed
  }

  /** The accounts and watches of which a lease should bring no more. */
  fullQueues(): FullQueues {
    const perAccount = maxWaitingPerAccount(this.#activeAccounts)
    const accounts = this.#watches
      .allAccounts()
      .filter(({ waiting, inFlight }) => isAccountFull(waiting, inFlight.suspended, perAccount))
    for (const account of accounts) account.excluded = true
    const watches = this.#watches.all().filter((queue) => {
      const { accountShare: account, pool } = queue
      if (pool !== 'regular' || account.excluded) return false
      return queue.waiting >= maxWaitingPerWatch(perAccount, account.watches)
    })
    for (const watch of watches) watch.excluded = true
    return { accountIds: accounts.map(({ id }) => id), watchIds: watches.map(({ watchId }) => watchId) }
  }

  clear(): void {
    for (const queue of this.#watches.all()) {
      this.#countWaiting(queue, queue.pool, -queue.waiting)
      queue.critical.length = 0
      queue.rest.length = 0
      if (queue.idle) this.#removeQueue(queue)
    }
    this.#onlyRoom = null
    for (const pool of POOLS) {
      this.#turns[pool].critical.clear()
      this.#turns[pool].rest.clear()
    }
  }

  /** Takes the next turn of those that a full pool postpones; 0 while the pool has room. */
  #poolTurn(pool: Pool, now: number): number {
    if (this.#waiting[pool] < MAX_WAITING) return 0
    this.#nextPoolTurn = nextPoolTurn(this.#nextPoolTurn, now)
    return this.#nextPoolTurn
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
    const { critical, rest } = this.#turns[pool]
    const canStart = (queue: WatchQueue) => !this.#isAtLimit(queue) && this.#occupancy.hasRoom(queue, pool)
    const [first, second] = restFirst ? [rest, critical] : [critical, rest]
    const firstQueue = first.next(canStart)
    const queue = firstQueue ?? second.next(canStart)
    if (queue === null) return null
    if (this.#isSameRoom(queue, pool)) (firstQueue === null ? second : first).settle()
    this.#onlyRoom = null
    const queued = queue.critical.shift() ?? queue.rest.shift()!
    this.#countWaiting(queue, pool, -1)
    queue.inFlight++
    this.#occupancy.enter(queue, pool)
    this.#markReady(queue)
    this.#reportRefill(queue)
    return { queue, queued, pool }
  }

  /** Whether every watch of the pool has been looked at, and none has room. */
  #isSearched(pool: Pool): boolean {
    return !this.#turns[pool].critical.unfinished && !this.#turns[pool].rest.unfinished
  }

  /** Whether an attempt of the watch takes exactly the room that has become free. */
  #isSameRoom(queue: WatchQueue, pool: Pool): boolean {
    return this.#onlyRoom?.pool === pool && this.#onlyRoom.queue.accountAtHost === queue.accountAtHost
  }

  #isAtLimit(queue: WatchQueue): boolean {
    return queue.waiting === 0 || queue.inFlight >= this.#options.limits.perWatch[queue.response.state]
  }

  #markReady(queue: WatchQueue): void {
    if (this.#isAtLimit(queue)) return
    const { critical, rest } = this.#turns[queue.pool]
    if (queue.critical.length === 0) rest.addWatch(queue)
    else {
      rest.removeWatch(queue)
      critical.addWatch(queue)
    }
  }

  #removeReady(queue: WatchQueue, pool: Pool): void {
    this.#turns[pool].critical.removeWatch(queue)
    this.#turns[pool].rest.removeWatch(queue)
  }

  #restartTurns(pool: Pool): void {
    this.#turns[pool].critical.restart()
    this.#turns[pool].rest.restart()
  }

  /** A silent watch keeps none: its next attempt has a time. A slow one keeps few. */
  #removeExcess(queue: WatchQueue): QueuedDelivery[] {
    const kept = { unproven: MAX_WAITING, prompt: MAX_WAITING, slow: SLOW_WAITING.perWatch, silent: 0 }[
      queue.response.state
    ]
    const before = queue.waiting
    const removed = [...queue.rest.splice(Math.max(0, kept - queue.critical.length)), ...queue.critical.splice(kept)]
    this.#countWaiting(queue, queue.pool, queue.waiting - before)
    if (queue.waiting === 0) this.#removeReady(queue, queue.pool)
    return removed
  }

  #countWaiting({ accountShare }: WatchQueue, pool: Pool, by: number): void {
    const before = accountShare.waiting.regular
    accountShare.waiting[pool] += by
    this.#waiting[pool] += by
    if (before === 0 && accountShare.waiting.regular > 0) this.#activeAccounts++
    if (before > 0 && accountShare.waiting.regular === 0) this.#activeAccounts--
  }

  #reportRefill(queue: WatchQueue): void {
    const { accountShare: account } = queue
    if (!account.excluded && !queue.excluded) return
    const perAccount = maxWaitingPerAccount(this.#activeAccounts)
    const accountRefills = account.excluded && canRefillAccount(account.waiting, perAccount)
    const watchRefills = queue.excluded && queue.waiting <= maxWaitingPerWatch(perAccount, account.watches) / 2
    if (accountRefills) account.excluded = false
    if (watchRefills) queue.excluded = false
    if (accountRefills || watchRefills) this.#options.onRefill()
  }

  #removeQueue(queue: WatchQueue): void {
    for (const pool of POOLS) this.#removeReady(queue, pool)
    this.#watches.remove(queue)
  }
}
