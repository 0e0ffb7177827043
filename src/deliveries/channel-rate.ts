import { isMessenger, type MessengerKind } from '../domain/watch.ts'
import type { Dispatch } from '../store/store.ts'
import { addressIn } from './channels/target.ts'

interface ChannelRate {
  /** Messages to the same place start at least this far apart, in milliseconds. */
  readonly perPlaceMs: number
  /** The same for all places of the channel together. */
  readonly inAllMs: number
}

/** Messages to a person: one a second; to a group: 20 a minute; of a bot: 30 a second. */
const TELEGRAM = { private: { perPlaceMs: 1000, inAllMs: 40 }, group: { perPlaceMs: 3000, inAllMs: 40 } }

/** Each channel's limit, with a little room; messages above it are answered 429. */
const RATES: Readonly<Record<Exclude<MessengerKind, 'telegram'>, ChannelRate>> = {
  email: { perPlaceMs: 1000, inAllMs: 0 },
  slack: { perPlaceMs: 1000, inAllMs: 0 },
  discord: { perPlaceMs: 2000, inAllMs: 0 },
  teams: { perPlaceMs: 1000, inAllMs: 0 },
  // Firebase takes 240 a minute for one device.
  webpush: { perPlaceMs: 250, inAllMs: 0 },
}

function rateOf(kind: MessengerKind, target: string): ChannelRate {
  if (kind !== 'telegram') return RATES[kind]
  return /^\d/.test(addressIn(target)) ? TELEGRAM.private : TELEGRAM.group
}

/** Of each kind. Beyond it, a forgotten time is given anew: the channel answers 429 at worst. */
const MAX_TIMES = 20_000

/**
 * Gives each message of a channel for people a time at which it may start: a chat that is sent more
 * than it takes answers 429, and the channel may lock out the sender. Each node counts by itself,
 * by its monotonic clock.
 */
export class ChannelRates {
  readonly #elapsed: () => number
  /** The start of the next message, by watch and by channel. */
  readonly #nextAt = new Map<string, number>()
  readonly #pausedUntil = new Map<string, number>()
  /** Times that were given and have not come, by delivery. */
  readonly #reserved = new Map<string, number>()

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  /** Returns for how many milliseconds the delivery must wait, and keeps its time for it. */
  delayOf({ delivery, endpoint }: Pick<Dispatch, 'delivery' | 'endpoint'>): number {
    const { channel } = endpoint
    if (!isMessenger(channel)) return 0
    const now = this.#elapsed()
    const { id, watchId } = delivery
    const paused = this.#pausedUntil.get(watchId) ?? 0
    const reserved = this.#reserved.get(id)
    if (reserved !== undefined && reserved > now) return Math.ceil(reserved - now)
    this.#reserved.delete(id)
    if (reserved !== undefined && paused <= now) return 0
    const { perPlaceMs, inAllMs } = rateOf(channel, endpoint.secrets[0]?.secret ?? '')
    const inAll = inAllMs === 0 ? now : this.#take(channel, now, inAllMs)
    const at = this.#take(watchId, Math.max(inAll, paused), perPlaceMs)
    if (at <= now) return 0
    this.#reserved.set(id, at)
    this.#forgetOld(now)
    return Math.ceil(at - now)
  }

  /** Takes the next free time, from `earliest` on. */
  #take(key: string, earliest: number, intervalMs: number): number {
    const at = Math.max(earliest, this.#nextAt.get(key) ?? 0)
    this.#nextAt.set(key, at + intervalMs)
    return at
  }

  /** The channel asked to wait for so many milliseconds. */
  pause(watchId: string, ms: number): void {
    const now = this.#elapsed()
    this.#pausedUntil.set(watchId, now + ms)
    this.#forgetOld(now)
  }

  #forgetOld(now: number): void {
    for (const times of [this.#nextAt, this.#pausedUntil, this.#reserved]) {
      if (times.size <= MAX_TIMES) continue
      for (const [key, at] of times) if (at <= now || times.size > MAX_TIMES) times.delete(key)
    }
  }
}
