import type { WatchSchedule } from '../../domain/schedule/schedule.ts'
import type { Severity } from '../../domain/taxonomy.ts'
import type { WatchEvent } from '../../domain/watch.ts'
import type { FanOutPosition } from '../../store/store.ts'

export interface MatchingWatch {
  readonly id: string
  readonly accountId: string
  readonly schedule: WatchSchedule | null
}

export interface MatchedEvent {
  readonly seq: number
  readonly kind: WatchEvent
  readonly critical: boolean
  /** The worst of any version so far: what was told at once is corrected at once. */
  readonly severity: Severity
}

/** One delivery to be written. */
export interface Match {
  readonly event: MatchedEvent
  readonly watch: MatchingWatch
}

interface PendingEvent extends MatchedEvent {
  /** In the order of their ids. */
  readonly watches: readonly MatchingWatch[]
  next: number
}

/** Watches of one account that come first for an event; the others of a large account wait. */
const MAX_FIRST_PER_ACCOUNT = 100

/**
 * Splits the watches of events: those whose endpoints are known to answer come first, also before
 * the other watches of earlier events, so that thousands of these delay nobody. A watch that still
 * waits for an earlier event is not among the first: its deliveries keep the order of events.
 */
export class PendingEvents {
  readonly #isPrompt: (watchId: string) => boolean
  readonly #events: PendingEvent[] = []
  /** Matches that are not taken yet, by watch. */
  readonly #waiting = new Map<string, number>()
  #size = 0

  constructor(isPrompt: (watchId: string) => boolean) {
    this.#isPrompt = isPrompt
  }

  /** Matches that wait. */
  get size(): number {
    return this.#size
  }

  /** Takes the watches of the next event, in the order of their ids, and returns the first ones. */
  add(event: MatchedEvent, watches: readonly MatchingWatch[]): Match[] {
    const first: Match[] = []
    const others: MatchingWatch[] = []
    const firstOf = new Map<string, number>()
    for (const watch of watches) {
      const count = firstOf.get(watch.accountId) ?? 0
      if (count < MAX_FIRST_PER_ACCOUNT && this.#isPrompt(watch.id) && !this.#waiting.has(watch.id)) {
        firstOf.set(watch.accountId, count + 1)
        first.push({ event, watch })
      } else others.push(watch)
    }
    for (const { id } of others) this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1)
    if (others.length > 0) this.#events.push({ ...event, watches: others, next: 0 })
    this.#size += others.length
    return first
  }

  /** Takes up to `max` matches, and at most `maxUnproven` of watches that are not known to answer. */
  take(max: number, maxUnproven: number): Match[] {
    const taken: Match[] = []
    for (let unproven = 0; taken.length < max && unproven < maxUnproven && this.#size > 0; ) {
      const event = this.#events[0]!
      const watch = event.watches[event.next++]!
      taken.push({ event, watch })
      if (!this.#isPrompt(watch.id)) unproven++
      this.#countTaken(watch.id)
      if (event.next === event.watches.length) this.#events.shift()
    }
    return taken
  }

  /** The position up to which everything is taken; null if nothing waits. */
  get position(): FanOutPosition | null {
    const event = this.#events[0]
    if (event === undefined) return null
    return { seq: event.seq - 1, afterWatchId: event.next === 0 ? null : event.watches[event.next - 1]!.id }
  }

  #countTaken(watchId: string): void {
    this.#size--
    const count = this.#waiting.get(watchId)! - 1
    if (count === 0) this.#waiting.delete(watchId)
    else this.#waiting.set(watchId, count)
  }
}
