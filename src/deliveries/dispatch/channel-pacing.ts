import { isMessenger } from '../../domain/channel.ts'
import type { Dispatch } from '../../store/store.ts'
import { paceOf } from '../channels/pace.ts'

/** Of each kind. What is forgotten beyond is paced anew: the channel answers 429 at worst. */
const MAX_TIMES = 20_000

/**
 * Gives each message of a channel for people a time at which it may start: a chat that is sent more
 * than it takes answers 429, and the channel may lock out the sender. Each node paces by itself.
 */
export class ChannelPacing {
  readonly #clock: () => number
  /** When the next message may start, by watch and by channel. */
  readonly #nextAt = new Map<string, number>()
  readonly #pausedUntil = new Map<string, number>()
  /** Times that were given and have not come, by delivery. */
  readonly #reserved = new Map<string, number>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Returns when the delivery may start, and keeps that time for it; null if it may at once. */
  startAt({ delivery, endpoint }: Pick<Dispatch, 'delivery' | 'endpoint'>): number | null {
    const { channel } = endpoint
    if (!isMessenger(channel)) return null
    const now = this.#clock()
    const { id, watchId } = delivery
    const paused = this.#pausedUntil.get(watchId) ?? 0
    const reserved = this.#reserved.get(id)
    if (reserved !== undefined && reserved > now) return reserved
    this.#reserved.delete(id)
    if (reserved !== undefined && paused <= now) return null
    const pace = paceOf(channel, endpoint.secrets[0]?.secret ?? '')
    const inAll = pace.inAllMs === 0 ? now : this.#take(channel, now, pace.inAllMs)
    const at = this.#take(watchId, Math.max(inAll, paused), pace.perPlaceMs)
    if (at <= now) return null
    this.#reserved.set(id, at)
    this.#forgetOld(now)
    return at
  }

  /** Takes the next free time, from `earliest` on. */
  #take(key: string, earliest: number, intervalMs: number): number {
    const at = Math.max(earliest, this.#nextAt.get(key) ?? 0)
    this.#nextAt.set(key, at + intervalMs)
    return at
  }

  /** The channel asked to wait. */
  pause(watchId: string, until: number): void {
    this.#pausedUntil.set(watchId, until)
    this.#forgetOld(this.#clock())
  }

  #forgetOld(now: number): void {
    for (const times of [this.#nextAt, this.#pausedUntil, this.#reserved]) {
      if (times.size <= MAX_TIMES) continue
      for (const [key, at] of times) if (at <= now || times.size > MAX_TIMES) times.delete(key)
    }
  }
}
