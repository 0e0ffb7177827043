import type { WatchSchedule } from '../domain/schedule.ts'
import type { Severity } from '../domain/taxonomy.ts'
import type { WatchEvent } from '../domain/watch.ts'
import type { FanOutPosition } from '../store/store.ts'

export interface MatchingWatch {
  readonly id: string
  readonly accountId: string
  readonly schedule: WatchSchedule | null
  /** The same for watches whose messages the same person reads; null for a webhook. */
  readonly receiver: number | null
}

interface MatchedEvent {
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
  /** Whether it must be written with the match before it: both reach one person, in one message. */
  readonly joined?: true
}

interface PendingEvent extends MatchedEvent {
  /** In the order of their ids. */
  readonly watches: readonly MatchingWatch[]
  next: number
  readonly groups: ReceiverGroups
  /** Watches that are taken, from `next` on: with one before them. */
  readonly ahead: Set<MatchingWatch>
}

/** Of watches that match one event, those that share a receiver, for each of them. */
type ReceiverGroups = ReadonlyMap<MatchingWatch, readonly MatchingWatch[]>

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

  /**
   * Takes the watches of the next event, in the order of their ids, and returns the first ones.
   * Those of one receiver stay together.
   */
  add(event: MatchedEvent, watches: readonly MatchingWatch[]): Match[] {
    const first: Match[] = []
    const others: MatchingWatch[] = []
    const firstOf = new Map<string, number>()
    const groups = groupsOf(watches)
    for (const watch of watches) {
      const group = groups.get(watch) ?? [watch]
      if (group[0] !== watch) continue
      const count = firstOf.get(watch.accountId) ?? 0
      if (count < MAX_FIRST_PER_ACCOUNT && this.#isFirst(group)) {
        firstOf.set(watch.accountId, count + group.length)
        pushMatches(first, event, group)
      } else others.push(...group)
    }
    if (groups.size > 0) others.sort((one, other) => (one.id < other.id ? -1 : 1))
    for (const { id } of others) this.#waiting.set(id, (this.#waiting.get(id) ?? 0) + 1)
    if (others.length > 0) this.#events.push({ ...event, watches: others, next: 0, groups, ahead: new Set() })
    this.#size += others.length
    return first
  }

  /** One that answers speaks for all that have its receiver. */
  #isFirst(group: readonly MatchingWatch[]): boolean {
    return group.some(({ id }) => this.#isPrompt(id)) && !group.some(({ id }) => this.#waiting.has(id))
  }

  /**
   * Takes up to `max` matches, and at most `maxUnproven` of watches that are not known to answer; a
   * few more to keep those of one receiver together.
   */
  take(max: number, maxUnproven: number): Match[] {
    const taken: Match[] = []
    for (let unproven = 0; taken.length < max && unproven < maxUnproven && this.#size > 0; ) {
      const event = this.#events[0]!
      const watch = event.watches[event.next]!
      const group = event.groups.get(watch) ?? [watch]
      pushMatches(taken, event, group)
      if (!group.some(({ id }) => this.#isPrompt(id))) unproven++
      for (const each of group) {
        event.ahead.add(each)
        this.#countTaken(each.id)
      }
      while (event.next < event.watches.length && event.ahead.delete(event.watches[event.next]!)) event.next++
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

/** Few, so that confirmations do not wait for long until it is written. */
const MAX_GROUP = 96
const NO_GROUPS: ReceiverGroups = new Map()

/** Webhooks, which are most, cost a look. */
function groupsOf(watches: readonly MatchingWatch[]): ReceiverGroups {
  if (watches.every(({ receiver }) => receiver === null)) return NO_GROUPS
  const groups = new Map<MatchingWatch, readonly MatchingWatch[]>()
  for (const [receiver, all] of Map.groupBy(watches, (watch) => watch.receiver)) {
    if (receiver === null || all.length === 1) continue
    for (let start = 0; start < all.length; start += MAX_GROUP) {
      const group = all.slice(start, start + MAX_GROUP)
      for (const watch of group) groups.set(watch, group)
    }
  }
  return groups
}

function pushMatches(matches: Match[], event: MatchedEvent, [first, ...joined]: readonly MatchingWatch[]): void {
  matches.push({ event, watch: first! })
  for (const watch of joined) matches.push({ event, watch, joined: true })
}

/** The end of a batch of about `size` matches that does not part those of one receiver. */
export function batchEnd(matches: readonly Match[], start: number, size: number): number {
  let end = start + size
  while (matches[end]?.joined === true) end++
  return end
}
