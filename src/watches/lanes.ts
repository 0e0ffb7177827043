import type { Dispatch } from '../store/store.ts'

/** A delivery that waits here to be sent. */
export interface Waiting {
  readonly dispatch: Dispatch
  /** After this it may be another's. */
  readonly leasedUntil: number
}

/** One endpoint host: what waits for it, and how it has behaved. */
export class Lane {
  readonly host: string
  readonly critical: Waiting[] = []
  readonly rest: Waiting[] = []
  inFlight = 0
  /** It hangs or does not answer: it gets one attempt at a time, and none of the room that others need. */
  suspect = false
  /** Whether it stands in line. */
  lined = false

  constructor(host: string) {
    this.host = host
  }

  get waiting(): number {
    return this.critical.length + this.rest.length
  }

  next(): Waiting | undefined {
    return this.critical.shift() ?? this.rest.shift()
  }
}

export interface LaneLimits {
  /** Attempts under way at one host. */
  readonly perHost: number
  /** Deliveries that wait for a host that is suspect: the others are left to whoever leases them later. */
  readonly suspectWaiting: number
}

/** The hosts that deliveries wait for, each with its turn: a long queue for one delays no other. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #lines: { readonly critical: Lane[]; readonly rest: Lane[] } = { critical: [], rest: [] }
  readonly #limits: LaneLimits
  #waiting = 0

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting
  }

  add(waiting: Waiting): void {
    const { delivery } = waiting.dispatch
    const lane = this.#lanes.get(delivery.host) ?? new Lane(delivery.host)
    this.#lanes.set(delivery.host, lane)
    if (lane.suspect && lane.waiting >= this.#limits.suspectWaiting) return
    if (delivery.critical) lane.critical.push(waiting)
    else lane.rest.push(waiting)
    this.#waiting++
    this.#line(lane)
  }

  /** The next delivery of a host that has room, critical ones first; the caller sends it and then calls `done`. */
  take(maySuspect: boolean): { lane: Lane; waiting: Waiting } | null {
    for (const line of [this.#lines.critical, this.#lines.rest]) {
      for (let left = line.length; left > 0; left--) {
        const lane = line.shift()!
        lane.lined = false
        if (lane.suspect && !maySuspect) {
          this.#line(lane)
          continue
        }
        const waiting = lane.next()
        if (waiting === undefined) continue
        this.#waiting--
        lane.inFlight++
        this.#line(lane)
        return { lane, waiting }
      }
    }
    return null
  }

  done(lane: Lane, suspect: boolean): void {
    lane.inFlight--
    if (suspect) this.distrust(lane)
    else lane.suspect = false
    this.#line(lane)
    if (lane.inFlight === 0 && lane.waiting === 0 && !lane.suspect) this.#lanes.delete(lane.host)
  }

  distrust(lane: Lane): void {
    lane.suspect = true
    for (const queue of [lane.rest, lane.critical]) {
      const most = Math.max(0, this.#limits.suspectWaiting - (queue === lane.rest ? lane.critical.length : 0))
      this.#waiting -= Math.max(0, queue.length - most)
      queue.length = Math.min(queue.length, most)
    }
  }

  /** Those that have enough waiting here: more would only be leased to lie about. */
  full(mostWaiting: number): string[] {
    const hosts: string[] = []
    for (const lane of this.#lanes.values()) {
      if (lane.suspect ? lane.waiting + lane.inFlight > 0 : lane.waiting >= mostWaiting) hosts.push(lane.host)
    }
    return hosts
  }

  /** Hosts that are suspect and have nothing to do are forgotten: their next failure will tell again. */
  forgetIdle(): void {
    for (const lane of this.#lanes.values())
      if (lane.waiting === 0 && lane.inFlight === 0) this.#lanes.delete(lane.host)
  }

  clear(): void {
    this.#lanes.clear()
    this.#lines.critical.length = 0
    this.#lines.rest.length = 0
    this.#waiting = 0
  }

  #line(lane: Lane): void {
    const most = lane.suspect ? 1 : this.#limits.perHost
    if (lane.lined || lane.waiting === 0 || lane.inFlight >= most) return
    lane.lined = true
    if (lane.critical.length > 0) this.#lines.critical.push(lane)
    else this.#lines.rest.push(lane)
  }
}
