import type { Dispatch, FullQueues, NewDelivery } from '../store/store.ts'
import {
  type Admission,
  admissionOf,
  canRefillAccount,
  type InFlightLimits,
  isAccountFull,
  MAX_WAITING,
  maxWaitingPerAccount,
  maxWaitingPerWatch,
  nextAccountTurn,
  nextPoolTurn,
  nextWatchTurn,
  POOL_OF,
  POOLS,
  type Pool,
  PROMPT,
  type ResponseRecord,
  ResponseRecords,
  SLOW_WAITING,
} from './admission.ts'
import { PoolRoundRobin } from './round-robin.ts'

/** A leased delivery that waits in memory to be sent. */
export interface QueuedDelivery {
  readonly dispatch: Dispatch
  /** After this time another process may lease it. */
  readonly leasedUntil: number
  /** Whether an attempt under this lease was lost with the sender. */
  readonly wasLost?: boolean
}

/** An attempt that has been given room; `finish` takes it back. */
export interface StartedAttempt {
  readonly queue: WatchQueue
  readonly queued: QueuedDelivery
  readonly startedAt: number
  /** True once its answer is late, while it goes on. */
  late: boolean
  pool: Pool
}

/** The watch of a delivery. */
interface WatchReference {
  readonly watchId: string
  readonly accountId: string
  /** Whether the watch's last attempts failed, as the database knows. */
  readonly failing: boolean
}

export interface PlannedDelivery {
  readonly delivery: NewDelivery & { readonly accountId: string }
  readonly admission: Admission
}

const NONE_PLANNED = { ofWatch: 0, ofAccount: 0 }
/** The pool that starts the next attempt; if it has none, the others do, in order. */
const POOL_TURNS: readonly Pool[] = ['regular', 'regular', 'trial', 'regular', 'regular', 'trial', 'suspended']
/** One start in so many prefers deliveries that are not critical, so that those never stop. */
const REST_FIRST_EVERY = 4

/**
 * Queues deliveries by watch, and decides which is sent next. Accounts have turns, and so have the
 * watches of an account; endpoints that hang never take the room of those that answer.
 */
export class DeliveryQueues {
  readonly records = new ResponseRecords()
  readonly #limits: InFlightLimits
  /** Monotonic, in milliseconds. */
  readonly #clock: () => number
  readonly #watches = new Map<string, WatchQueue>()
  readonly #accounts = new Map<string, AccountShare>()
  readonly #hosts = new Map<string, Share>()
  readonly #inFlight = noneInPools()
  readonly #waiting = noneInPools()
  /** Accounts with regular deliveries waiting. */
  #activeAccounts = 0
  readonly #turns: Readonly<Record<Pool, PoolRoundRobin<WatchQueue>>> = {
    regular: new PoolRoundRobin(),
    trial: new PoolRoundRobin(),
    suspended: new PoolRoundRobin(),
  }
  #starts = 0
  /** The attempt whose end made the only room; null if there may be more. */
  #onlyRoom: StartedAttempt | null = null
  #nextPoolTurn = 0
  #hasRefill = false

  constructor(limits: InFlightLimits, clock: () => number) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Deliveries for watches that answer in time. */
  get waiting(): number {
    return this.#waiting.regular
  }

  /** Admits at most `room` deliveries before they are written, counting those admitted already. */
  plan(deliveries: readonly PlannedDelivery['delivery'][], room: number): PlannedDelivery[] {
    const byWatch = new Map<string, number>()
    const byAccount = new Map<string, number>()
    let left = room
    return deliveries.map((delivery) => {
      const { watchId, accountId } = delivery
      const ofWatch = byWatch.get(watchId) ?? 0
      const ofAccount = byAccount.get(accountId) ?? 0
      const admission = this.admission({ watchId, accountId, failing: false }, { ofWatch, ofAccount })
      if (admission !== 'queue') return { delivery, admission }
      if (left <= 0) return { delivery, admission: 'busy' }
      left--
      byWatch.set(watchId, ofWatch + 1)
      byAccount.set(accountId, ofAccount + 1)
      return { delivery, admission }
    })
  }

  /** `planned` are those of the watch and of the account that are about to be queued. */
  admission({ watchId, accountId, failing }: WatchReference, planned = NONE_PLANNED): Admission {
    const queue = this.#watches.get(watchId)
    const account = queue?.accountShare ?? this.#accounts.get(accountId)
    const response = queue?.response ?? this.records.responseOf(watchId, failing)
    const pool = POOL_OF[response.state]
    const waiting = {
      ofWatch: planned.ofWatch + (queue?.waiting ?? 0),
      inFlightOfWatch: queue?.inFlight ?? 0,
      ofAccount: planned.ofAccount + (account?.waiting[pool] ?? 0),
      inAll: planned.ofAccount + this.#waiting[pool],
      activeAccounts: this.#activeAccounts,
      activeWatches: account?.watches ?? 0,
      suspendedOfAccount: account?.inFlight.suspended ?? 0,
    }
    return admissionOf(response, waiting, this.#clock)
  }

  /** Returns by how many milliseconds to postpone a delivery of the watch, and takes that turn. */
  postponement({ watchId, accountId, failing }: WatchReference): number {
    const now = this.#clock()
    const response = this.#watches.get(watchId)?.response ?? this.records.responseOf(watchId, failing)
    const account = this.#accounts.get(accountId)
    const accountTurn = nextAccountTurn(account?.nextTurnAt ?? 0, now)
    const watchTurn = nextWatchTurn(response, this.records.nextTurnOf(watchId), now)
    if (account !== undefined) account.nextTurnAt = accountTurn
    this.records.setNextTurn(watchId, watchTurn)
    return Math.round(Math.max(watchTurn, accountTurn, this.#poolTurn(POOL_OF[response.state], now)) - now)
  }

  /** Takes the next turn of those that a full pool postpones; 0 while the pool has room. */
  #poolTurn(pool: Pool, now: number): number {
    if (this.#waiting[pool] < MAX_WAITING) return 0
    this.#nextPoolTurn = nextPoolTurn(this.#nextPoolTurn, now)
    return this.#nextPoolTurn
  }

  /** Excludes accounts and watches that are full from leases, until they can be refilled. */
  excludeFull(): FullQueues {
    const perAccount = maxWaitingPerAccount(this.#activeAccounts)
    const accounts = [...this.#accounts.values()].filter(({ waiting, inFlight }) =>
      isAccountFull(waiting, inFlight.suspended, perAccount),
    )
    for (const account of accounts) account.excluded = true
    const watches = [...this.#watches.values()].filter((queue) => {
      const { accountShare: account, pool } = queue
      if (pool !== 'regular' || account.excluded) return false
      return queue.waiting >= maxWaitingPerWatch(perAccount, account.watches)
    })
    for (const watch of watches) watch.excluded = true
    return { accountIds: accounts.map(({ id }) => id), watchIds: watches.map(({ watchId }) => watchId) }
  }

  /** Whether an account or a watch that was full has room again, since the last call. */
  takeRefill(): boolean {
    const hasRefill = this.#hasRefill
    this.#hasRefill = false
    return hasRefill
  }

  enqueue(queued: QueuedDelivery): void {
    const { delivery } = queued.dispatch
    const queue = this.#watches.get(delivery.watchId) ?? this.#addQueue(queued.dispatch)
    if (delivery.critical) queue.critical.push(queued)
    else queue.rest.push(queued)
    this.#countWaiting(1, queue, queue.pool)
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

  #startInOthers(preferred: Pool, restFirst: boolean): StartedAttempt | null {
    for (const pool of POOLS) {
      const started = pool === preferred ? null : this.#startIn(pool, restFirst)
      if (started !== null) return started
    }
    return null
  }

  #startIn(pool: Pool, restFirst: boolean): StartedAttempt | null {
    if (this.isCrowded(pool)) return null
    const turns = this.#turns[pool]
    const queue = turns.next(restFirst, (each) => !this.#isAtLimit(each) && this.#hasRoom(each, pool))
    if (queue === null) return null
    // An attempt of the same account at the same host takes exactly the room that has become free.
    if (this.#onlyRoom?.pool === pool && this.#onlyRoom.queue.accountAtHost === queue.accountAtHost) turns.settleLast()
    this.#onlyRoom = null
    const queued = queue.critical.shift() ?? queue.rest.shift()!
    this.#countWaiting(-1, queue, pool)
    queue.inFlight++
    this.#countInFlight(1, queue, pool)
    this.#markReady(queue)
    this.#endExclusion(queue)
    return { queue, queued, startedAt: this.#clock(), late: false, pool }
  }

  /** True if `start` returned null before it had looked at every watch. */
  get unfinished(): boolean {
    return POOLS.some((pool) => !this.isCrowded(pool) && this.#turns[pool].unfinished)
  }

  isCrowded(pool: Pool): boolean {
    return this.#inFlight[pool] >= this.#limits.pools[pool].all
  }

  /** Whether another attempt of the watch may start in the pool. */
  #hasRoom({ accountShare, hostShare, accountAtHost }: WatchQueue, pool: Pool): boolean {
    const limits = this.#limits.pools[pool]
    return (
      this.#inFlight[pool] < limits.all &&
      accountShare.inFlight[pool] < limits.perAccount &&
      hostShare.inFlight[pool] < limits.perHost &&
      accountAtHost.inFlight[pool] < limits.perAccountAtHost
    )
  }

  /** Counts a waiting attempt as suspended; false if too many are. */
  suspend(attempt: StartedAttempt): boolean {
    const { queue, pool } = attempt
    if (pool === 'suspended') return true
    if (!this.#canSuspend(queue, pool)) return false
    this.#countInFlight(-1, queue, pool)
    this.#countInFlight(1, queue, 'suspended')
    attempt.pool = 'suspended'
    this.#onlyRoom = null
    this.#turns[pool].restart()
    return true
  }

  #canSuspend({ hostShare }: WatchQueue, from: 'trial' | 'regular'): boolean {
    const limits = this.#limits.suspendedFrom[from]
    return this.#inFlight.suspended < limits.all && hostShare.inFlight.suspended < limits.perHost
  }

  finish(attempt: StartedAttempt): void {
    const { queue, pool } = attempt
    // If every watch of the pool has been looked at, none has other room.
    this.#onlyRoom = this.#turns[pool].unfinished ? null : attempt
    queue.inFlight--
    this.#countInFlight(-1, queue, pool)
    this.#turns[pool].restart()
    this.#markReady(queue)
    this.#removeIfIdle(queue)
  }

  /** Notes how the watch responds. Returns deliveries that can no longer wait here. */
  setResponse(queue: WatchQueue, response: ResponseRecord): QueuedDelivery[] {
    const { watchId, pool } = queue
    if (response === queue.response) return []
    queue.response = response
    this.records.setResponse(watchId, response)
    if (queue.pool !== pool) {
      this.#turns[pool].remove(queue)
      this.#countWaiting(-queue.waiting, queue, pool)
      this.#countWaiting(queue.waiting, queue, queue.pool)
    }
    this.#onlyRoom = null
    const removed = response === PROMPT ? [] : this.#removeExcess(queue)
    this.#markReady(queue)
    return removed
  }

  /** A silent watch keeps none: its next attempt has a time. A slow one keeps few. */
  #removeExcess(queue: WatchQueue): QueuedDelivery[] {
    const kept = { unproven: MAX_WAITING, prompt: MAX_WAITING, slow: SLOW_WAITING.perWatch, silent: 0 }[
      queue.response.state
    ]
    const before = queue.waiting
    const removed = [...queue.rest.splice(Math.max(0, kept - queue.critical.length)), ...queue.critical.splice(kept)]
    this.#countWaiting(queue.waiting - before, queue, queue.pool)
    if (queue.waiting === 0) this.#turns[queue.pool].remove(queue)
    return removed
  }

  /** Takes up to `most` waiting deliveries, oldest first, to go out with a started one. */
  takeWaiting(queue: WatchQueue, most: number): QueuedDelivery[] {
    const taken = [...queue.critical.splice(0, most)]
    taken.push(...queue.rest.splice(0, most - taken.length))
    if (taken.length === 0) return taken
    this.#countWaiting(-taken.length, queue, queue.pool)
    // Its turn may have been that of a critical delivery.
    this.#turns[queue.pool].remove(queue)
    this.#markReady(queue)
    this.#endExclusion(queue)
    return taken
  }

  /** Takes all deliveries that wait. */
  clear(): QueuedDelivery[] {
    const taken: QueuedDelivery[] = []
    for (const queue of [...this.#watches.values()]) {
      this.#countWaiting(-queue.waiting, queue, queue.pool)
      taken.push(...queue.critical.splice(0), ...queue.rest.splice(0))
      this.#removeIfIdle(queue)
    }
    this.#onlyRoom = null
    for (const pool of POOLS) this.#turns[pool].clear()
    return taken
  }

  #isAtLimit(queue: WatchQueue): boolean {
    return queue.waiting === 0 || queue.inFlight >= this.#limits.perWatch[queue.response.state]
  }

  #markReady(queue: WatchQueue): void {
    if (!this.#isAtLimit(queue)) this.#turns[queue.pool].add(queue)
  }

  /** Lets leases bring more, after a delivery of the watch has left its queue. */
  #endExclusion(queue: WatchQueue): void {
    const { accountShare: account } = queue
    if (!account.excluded && !queue.excluded) return
    const perAccount = maxWaitingPerAccount(this.#activeAccounts)
    const accountRefills = account.excluded && canRefillAccount(account.waiting, perAccount)
    const watchRefills = queue.excluded && queue.waiting <= maxWaitingPerWatch(perAccount, account.watches) / 2
    if (accountRefills) account.excluded = false
    if (watchRefills) queue.excluded = false
    if (accountRefills || watchRefills) this.#hasRefill = true
  }

  #countWaiting(by: number, { accountShare: { waiting } }: WatchQueue, pool: Pool): void {
    const before = waiting.regular
    waiting[pool] += by
    this.#waiting[pool] += by
    if (before === 0 && waiting.regular > 0) this.#activeAccounts++
    if (before > 0 && waiting.regular === 0) this.#activeAccounts--
  }

  #countInFlight(by: 1 | -1, { accountShare, hostShare, accountAtHost }: WatchQueue, pool: Pool): void {
    this.#inFlight[pool] += by
    accountShare.inFlight[pool] += by
    hostShare.inFlight[pool] += by
    accountAtHost.inFlight[pool] += by
  }

  #addQueue({ delivery: { watchId, host }, accountId, failing }: Dispatch): WatchQueue {
    const account = this.#accounts.get(accountId) ?? new AccountShare(accountId)
    const hostShare = this.#hosts.get(host) ?? new Share()
    const accountAtHost = account.atHosts.get(host) ?? new Share()
    const response = this.records.responseOf(watchId, failing)
    const queue = new WatchQueue(watchId, host, account, hostShare, accountAtHost, response)
    this.#watches.set(watchId, queue)
    this.#accounts.set(accountId, account)
    this.#hosts.set(host, hostShare)
    account.atHosts.set(host, accountAtHost)
    for (const share of [account, hostShare, accountAtHost]) share.watches++
    return queue
  }

  #removeIfIdle(queue: WatchQueue): void {
    if (queue.waiting > 0 || queue.inFlight > 0) return
    for (const pool of POOLS) this.#turns[pool].remove(queue)
    const { watchId, host, accountShare: account, hostShare, accountAtHost } = queue
    this.#watches.delete(watchId)
    for (const share of [account, hostShare, accountAtHost]) share.watches--
    if (accountAtHost.watches === 0) account.atHosts.delete(host)
    if (hostShare.watches === 0) this.#hosts.delete(host)
    if (account.watches === 0) this.#accounts.delete(account.id)
  }
}

/** Attempts in flight by pool: of an account, of a host, or of an account at a host. */
class Share {
  readonly inFlight = noneInPools()
  /** Watches with a queue. */
  watches = 0
}

class AccountShare extends Share {
  readonly id: string
  readonly waiting = noneInPools()
  readonly atHosts = new Map<string, Share>()
  /** The due time of its last postponed delivery. */
  nextTurnAt = 0
  /** True since it was full at a lease. */
  excluded = false

  constructor(id: string) {
    super()
    this.id = id
  }
}

/** The deliveries of one watch that wait or are in flight. */
class WatchQueue {
  readonly watchId: string
  readonly host: string
  readonly accountShare: AccountShare
  readonly hostShare: Share
  readonly accountAtHost: Share
  readonly critical: QueuedDelivery[] = []
  readonly rest: QueuedDelivery[] = []
  inFlight = 0
  response: ResponseRecord
  excluded = false

  constructor(
    watchId: string,
    host: string,
    accountShare: AccountShare,
    hostShare: Share,
    accountAtHost: Share,
    response: ResponseRecord,
  ) {
    this.watchId = watchId
    this.host = host
    this.accountShare = accountShare
    this.hostShare = hostShare
    this.accountAtHost = accountAtHost
    this.response = response
  }

  get waiting(): number {
    return this.critical.length + this.rest.length
  }

  get pool(): Pool {
    return POOL_OF[this.response.state]
  }
}

function noneInPools(): Record<Pool, number> {
  return { regular: 0, trial: 0, suspended: 0 }
}
