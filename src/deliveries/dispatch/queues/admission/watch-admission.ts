import { POOL_OF, type Pool } from '../pool-limits.ts'
import type { WatchQueues } from '../watch-queues.ts'
import type { WatchRecords } from '../watch-records.ts'
import { type Admission, admissionOf, MAX_WAITING, nextAccountTurn, nextPoolTurn, nextWatchTurn } from './admission.ts'
import type { WaitingCounts } from './waiting-counts.ts'

/** The watch of a delivery. */
export interface WatchReference {
  readonly watchId: string
  readonly accountId: string
  /** What the database knows: whether the watch's last attempts failed. */
  readonly failing: boolean
}

export interface AdmissionParts {
  readonly watches: WatchQueues
  readonly records: WatchRecords
  readonly waiting: WaitingCounts
  /** Monotonic, in milliseconds. */
  readonly clock: () => number
}

/** Decides by what waits already whether a delivery is queued, and how long one is postponed. */
export class WatchAdmission {
  readonly #parts: AdmissionParts
  #nextPoolTurn = 0

  constructor(parts: AdmissionParts) {
    this.#parts = parts
  }

  /** `planned` are those of the watch and of the account that are about to be queued. */
  admission(watch: WatchReference, planned: { ofWatch: number; ofAccount: number; inAll: number }): Admission {
    const { watches, records, waiting, clock } = this.#parts
    const queue = watches.find(watch.watchId)
    const account = queue?.accountShare ?? watches.findAccount(watch.accountId)
    const response = queue?.response ?? records.responseOf(watch.watchId, watch.failing)
    const pool = POOL_OF[response.state]
    const known = {
      pool,
      ofWatch: planned.ofWatch + (queue?.waiting ?? 0),
      inFlightOfWatch: queue?.inFlight ?? 0,
      ofAccount: planned.ofAccount + (account?.waiting[pool] ?? 0),
      inAll: planned.inAll + waiting.inPool(pool),
      activeAccounts: waiting.activeAccounts,
      activeWatches: account?.watches ?? 0,
      suspendedOfAccount: account?.inFlight.suspended ?? 0,
    }
    return admissionOf(response, known, clock)
  }

  /** Returns by how many milliseconds to postpone a delivery of the watch, and takes that turn. */
  postponement({ watchId, accountId, failing }: WatchReference): number {
    const { watches, records, clock } = this.#parts
    const now = clock()
    const response = watches.find(watchId)?.response ?? records.responseOf(watchId, failing)
    const account = watches.findAccount(accountId)
    const accountTurn = nextAccountTurn(account?.nextTurnAt ?? 0, now)
    const watchTurn = nextWatchTurn(response, records.nextTurnOf(watchId), now)
    if (account !== undefined) account.nextTurnAt = accountTurn
    records.setNextTurn(watchId, watchTurn)
    return Math.round(Math.max(watchTurn, accountTurn, this.#poolTurn(POOL_OF[response.state], now)) - now)
  }

  /** Takes the next turn of those that a full pool postpones; 0 while the pool has room. */
  #poolTurn(pool: Pool, now: number): number {
    if (this.#parts.waiting.inPool(pool) < MAX_WAITING) return 0
    this.#nextPoolTurn = nextPoolTurn(this.#nextPoolTurn, now)
    return this.#nextPoolTurn
  }
}
