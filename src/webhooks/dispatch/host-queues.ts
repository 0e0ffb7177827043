import type { Dispatch } from '../../store/store.ts'

/** A delivery that waits here to be sent. */
export interface QueuedDelivery {
  readonly dispatch: Dispatch
  /** After this it may be another's. */
  readonly leasedUntil: number
}

/** How a host has behaved: it answers, it answers slowly, or it has not answered several times in a row. */
export type HostHealth = 'quick' | 'slow' | 'silent'

/** One endpoint host: what waits for it, and how it has behaved. */
export class HostQueue {
  readonly host: string
  readonly critical: QueuedDelivery[] = []
  readonly rest: QueuedDelivery[] = []
  inFlight = 0
  health: HostHealth = 'quick'
  /** Attempts without an answer since the last one that had one. */
  silences = 0
  /** When it was last seen not to be quick. */
  troubledAt = 0

  constructor(host: string) {
    this.host = host
  }

  get waiting(): number {
    return this.critical.length + this.rest.length
  }

  get idle(): boolean {
    return this.waiting === 0 && this.inFlight === 0
  }
}

export interface HostQueueLimits {
  /** Attempts under way at one host; a silent one has one at a time. */
  readonly perHost: number
  /** Deliveries that wait for hosts that are slow, over all of them. */
  readonly slowWaiting: number
  /** Deliveries that wait for a host that is silent: the others are left to whoever leases them later. */
  readonly silentWaiting: number
  /** How long a host with nothing to do is remembered to be slow or silent, in milliseconds. */
  readonly rememberFor: number
  /** In milliseconds, from wherever. */
  readonly clock: () => number
}

/** One connection that breaks says nothing about a host; so many in a row do. */
const SILENCES = 3

/** The hosts that deliveries wait for, each with its turn: a long queue for one delays no other. */
export class HostQueues {
  readonly #lanes = new Map<string, HostQueue>()
  /** Those that may begin an attempt, in the order of their turns. A lane stands in one of them at most. */
  readonly #lines = { critical: new Set<HostQueue>(), rest: new Set<HostQueue>() }
  readonly #limits: HostQueueLimits
  readonly #waiting = { quick: 0, slow: 0, silent: 0 }

  constructor(limits: HostQueueLimits) {
    this.#limits = limits
  }

  /** For hosts that answer promptly: what waits for others must not keep these from getting theirs. */
  get waiting(): number {
    return this.#waiting.quick
  }

  add(waiting: QueuedDelivery): void {
    const { delivery } = waiting.dispatch
    const lane = this.#lanes.get(delivery.host) ?? new HostQueue(delivery.host)
    this.#lanes.set(delivery.host, lane)
    if (this.#isLapsed(lane)) {
      lane.silences = 0
      this.#setPace(lane, 'quick')
    }
    if (this.#isFull(lane)) return
    if (delivery.critical) lane.critical.push(waiting)
    else lane.rest.push(waiting)
    this.#waiting[lane.health]++
    this.#line(lane)
  }

  /** The next delivery of a host that has room, critical ones first; the caller sends it and then calls `done`. */
  take(quickOnly: boolean): { lane: HostQueue; waiting: QueuedDelivery } | null {
    for (const line of [this.#lines.critical, this.#lines.rest]) {
      for (const lane of line) {
        if (quickOnly && lane.health !== 'quick') continue
        if (lane.inFlight >= this.#most(lane)) {
          // It has fallen silent since it stood in line: `done` puts it back.
          line.delete(lane)
          continue
        }
        const waiting = lane.critical.shift() ?? lane.rest.shift()!
        this.#waiting[lane.health]--
        lane.inFlight++
        line.delete(lane)
        this.#line(lane)
        return { lane, waiting }
      }
    }
    return null
  }

  /** After an attempt that showed the host so; null where nothing was learned of it. */
  done(lane: HostQueue, shown: HostHealth | null): void {
    lane.inFlight--
    if (shown === 'silent') this.#missAnswer(lane)
    else if (shown !== null) {
      lane.silences = 0
      this.#setPace(lane, shown)
    }
    this.#line(lane)
    if (lane.idle && lane.health === 'quick') this.#lanes.delete(lane.host)
  }

  /** An attempt is taking long. */
  slow(lane: HostQueue): void {
    if (lane.health === 'quick') this.#setPace(lane, 'slow')
  }

  /** Those that have enough waiting here: more would only be leased to lie about. */
  full(mostWaiting: number): string[] {
    const hosts: string[] = []
    for (const lane of this.#lanes.values()) {
      const silentAndBusy = lane.health === 'silent' && !lane.idle
      if (silentAndBusy || lane.waiting >= mostWaiting || this.#isFull(lane)) hosts.push(lane.host)
    }
    return hosts
  }

  /** Forgets hosts that have had nothing to do for a while. */
  forgetIdle(): void {
    for (const lane of this.#lanes.values()) if (this.#isLapsed(lane)) this.#lanes.delete(lane.host)
  }

  clear(): void {
    this.#lanes.clear()
    for (const line of Object.values(this.#lines)) line.clear()
    Object.assign(this.#waiting, { quick: 0, slow: 0, silent: 0 })
  }

  #most(lane: HostQueue): number {
    return lane.health === 'silent' ? 1 : this.#limits.perHost
  }

  #isFull(lane: HostQueue): boolean {
    const { slowWaiting, silentWaiting } = this.#limits
    if (lane.health === 'silent') return lane.waiting >= silentWaiting
    return lane.health === 'slow' && this.#waiting.slow >= slowWaiting
  }

  #isLapsed(lane: HostQueue): boolean {
    return lane.idle && this.#limits.clock() - lane.troubledAt >= this.#limits.rememberFor
  }

  #missAnswer(lane: HostQueue): void {
    if (++lane.silences < SILENCES) return
    this.#setPace(lane, 'silent')
    const { silentWaiting } = this.#limits
    const before = lane.waiting
    lane.critical.splice(silentWaiting)
    lane.rest.splice(silentWaiting - lane.critical.length)
    this.#waiting.silent -= before - lane.waiting
  }

  #setPace(lane: HostQueue, pace: HostHealth): void {
    if (pace !== 'quick') lane.troubledAt = this.#limits.clock()
    this.#waiting[lane.health] -= lane.waiting
    this.#waiting[pace] += lane.waiting
    lane.health = pace
  }

  #line(lane: HostQueue): void {
    const { critical, rest } = this.#lines
    if (lane.waiting === 0 || lane.inFlight >= this.#most(lane)) return
    if (lane.critical.length === 0) rest.add(lane)
    else if (!critical.has(lane)) {
      rest.delete(lane)
      critical.add(lane)
    }
  }
}
