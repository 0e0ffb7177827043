import type { Dispatch } from '../../../store/store.ts'
import { POOL_OF, type Pool } from './pool-limits.ts'
import type { ResponseRecord } from './responsiveness.ts'

/** A leased delivery that waits in memory to be sent. */
export interface QueuedDelivery {
  readonly dispatch: Dispatch
  /** After this time another process may lease it. */
  readonly leasedUntil: number
  /** Whether an attempt under this lease was lost with the sender. */
  readonly wasLost?: boolean
}

/** Attempts in flight by pool: of an account, of a host, or of an account at a host. */
export class Share {
  readonly inFlight: Record<Pool, number> = { regular: 0, trial: 0, suspended: 0 }
  /** Watches with a queue. */
  watches = 0
}

export class AccountShare extends Share {
  readonly id: string
  readonly waiting: Record<Pool, number> = { regular: 0, trial: 0, suspended: 0 }
  readonly atHosts = new Map<string, Share>()
  /** When the next of its postponed deliveries is due. */
  nextTurnAt = 0
  /** True since it was full at a lease. */
  excluded = false

  constructor(id: string) {
    super()
    this.id = id
  }
}

/** The deliveries of one watch that wait or are in flight. */
export class WatchQueue {
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
    shares: { readonly account: AccountShare; readonly host: Share; readonly accountAtHost: Share },
    response: ResponseRecord,
  ) {
    this.watchId = watchId
    this.host = host
    this.accountShare = shares.account
    this.hostShare = shares.host
    this.accountAtHost = shares.accountAtHost
    this.response = response
  }

  get waiting(): number {
    return this.critical.length + this.rest.length
  }

  get idle(): boolean {
    return this.waiting === 0 && this.inFlight === 0
  }

  get pool(): Pool {
    return POOL_OF[this.response.state]
  }
}
