import type { Dispatch } from '../../store/store.ts'

/** A leased delivery that waits in memory to be sent. */
export interface QueuedDelivery {
  readonly dispatch: Dispatch
  /** After this time another process may lease it. */
  readonly leasedUntil: number
}

/** Healthy hosts answer in time, slow ones late, silent ones not at all several times in a row. */
export type HostHealth = 'healthy' | 'slow' | 'silent'

export class HostQueue {
  readonly host: string
  readonly critical: QueuedDelivery[] = []
  readonly rest: QueuedDelivery[] = []
  inFlight = 0
  health: HostHealth = 'healthy'
  /** Consecutive attempts without an answer. */
  silences = 0
  /** When the host was last slow or silent. */
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
  /** Attempts in flight at one host; a silent host has one at a time. */
  readonly perHost: number
  /** Deliveries waiting for slow hosts, over all of them. */
  readonly slowWaiting: number
  /** Deliveries waiting for one silent host; further ones are dropped and leased again later. */
  readonly silentWaiting: number
  /** Time for which an idle host is remembered as slow or silent, in milliseconds. */
  readonly rememberFor: number
  /** Monotonic, in milliseconds. */
  readonly clock: () => number
}

/** One broken connection says nothing about a host; this many in a row make it silent. */
const SILENCES_UNTIL_SILENT = 3

/** Queues deliveries by host and serves hosts in turn: a long queue delays no other host. */
export class HostQueues {
  readonly #queues = new Map<string, HostQueue>()
  /** Hosts that may start an attempt, in turn order. A queue is in at most one of the sets. */
  readonly #ready = { critical: new Set<HostQueue>(), rest: new Set<HostQueue>() }
  readonly #limits: HostQueueLimits
  readonly #waiting = { healthy: 0, slow: 0, silent: 0 }

  constructor(limits: HostQueueLimits) {
    this.#limits = limits
  }

  /** Counts healthy hosts only: a backlog for the others must not stop leasing for these. */
  get waiting(): number {
    return this.#waiting.healthy
  }

  enqueue(queued: QueuedDelivery): void {
    const { delivery } = queued.dispatch
    const queue = this.#queues.get(delivery.host) ?? new HostQueue(delivery.host)
    this.#queues.set(delivery.host, queue)
    if (this.#isForgotten(queue)) {
      queue.silences = 0
      this.#setHealth(queue, 'healthy')
    }
    if (this.#isFull(queue)) return
    if (delivery.critical) queue.critical.push(queued)
    else queue.rest.push(queued)
    this.#waiting[queue.health]++
    this.#markReady(queue)
  }

  /** Takes the next delivery of a host below its limit, critical first; `finish` must follow. */
  dequeue(healthyOnly: boolean): { queue: HostQueue; queued: QueuedDelivery } | null {
    for (const ready of [this.#ready.critical, this.#ready.rest]) {
      for (const queue of ready) {
        if (healthyOnly && queue.health !== 'healthy') continue
        if (queue.inFlight >= this.#maxInFlight(queue)) {
          // The host became silent while its queue was ready; `finish` marks it ready again.
          ready.delete(queue)
          continue
        }
        const queued = queue.critical.shift() ?? queue.rest.shift()!
        this.#waiting[queue.health]--
        queue.inFlight++
        ready.delete(queue)
        this.#markReady(queue)
        return { queue, queued }
      }
    }
    return null
  }

  /** Ends an attempt. `observed` is the health that it showed; null if it showed nothing. */
  finish(queue: HostQueue, observed: HostHealth | null): void {
    queue.inFlight--
    if (observed === 'silent') this.#countSilence(queue)
    else if (observed !== null) {
      queue.silences = 0
      this.#setHealth(queue, observed)
    }
    this.#markReady(queue)
    if (queue.idle && queue.health === 'healthy') this.#queues.delete(queue.host)
  }

  /** Called while an attempt takes long. */
  markSlow(queue: HostQueue): void {
    if (queue.health === 'healthy') this.#setHealth(queue, 'slow')
  }

  /** Hosts to exclude from the next lease, because enough is waiting here. */
  fullHosts(maxWaiting: number): string[] {
    const hosts: string[] = []
    for (const queue of this.#queues.values()) {
      const silentAndBusy = queue.health === 'silent' && !queue.idle
      if (silentAndBusy || queue.waiting >= maxWaiting || this.#isFull(queue)) hosts.push(queue.host)
    }
    return hosts
  }

  forgetIdle(): void {
    for (const queue of this.#queues.values()) if (this.#isForgotten(queue)) this.#queues.delete(queue.host)
  }

  clear(): void {
    this.#queues.clear()
    for (const ready of Object.values(this.#ready)) ready.clear()
    Object.assign(this.#waiting, { healthy: 0, slow: 0, silent: 0 })
  }

  #maxInFlight(queue: HostQueue): number {
    return queue.health === 'silent' ? 1 : this.#limits.perHost
  }

  #isFull(queue: HostQueue): boolean {
    const { slowWaiting, silentWaiting } = this.#limits
    if (queue.health === 'silent') return queue.waiting >= silentWaiting
    return queue.health === 'slow' && this.#waiting.slow >= slowWaiting
  }

  #isForgotten(queue: HostQueue): boolean {
    return queue.idle && this.#limits.clock() - queue.troubledAt >= this.#limits.rememberFor
  }

  #countSilence(queue: HostQueue): void {
    if (++queue.silences < SILENCES_UNTIL_SILENT) return
    this.#setHealth(queue, 'silent')
    const { silentWaiting } = this.#limits
    const before = queue.waiting
    queue.critical.splice(silentWaiting)
    queue.rest.splice(silentWaiting - queue.critical.length)
    this.#waiting.silent -= before - queue.waiting
  }

  #setHealth(queue: HostQueue, health: HostHealth): void {
    if (health !== 'healthy') queue.troubledAt = this.#limits.clock()
    this.#waiting[queue.health] -= queue.waiting
    this.#waiting[health] += queue.waiting
    queue.health = health
  }

  #markReady(queue: HostQueue): void {
    const { critical, rest } = this.#ready
    if (queue.waiting === 0 || queue.inFlight >= this.#maxInFlight(queue)) return
    if (queue.critical.length === 0) rest.add(queue)
    else if (!critical.has(queue)) {
      rest.delete(queue)
      critical.add(queue)
    }
  }
}
