import type { MessengerKind } from '../../domain/channel.ts'
import { addressIn } from './target.ts'

export interface Pace {
  /** Messages to the same place start at least this far apart, in milliseconds. */
  readonly perPlaceMs: number
  /** Those of all places of the channel together. */
  readonly inAllMs: number
}

/**
 * A chat with a person takes a message a second, a group 20 a minute, all chats of a bot 30 a
 * second.
 */
const TELEGRAM = { private: { perPlaceMs: 1000, inAllMs: 40 }, group: { perPlaceMs: 3000, inAllMs: 40 } }

/** What each channel allows, with a little room; what is above it answers 429. */
const PACES: Readonly<Record<Exclude<MessengerKind, 'telegram'>, Pace>> = {
  email: { perPlaceMs: 1000, inAllMs: 0 },
  slack: { perPlaceMs: 1000, inAllMs: 0 },
  discord: { perPlaceMs: 2000, inAllMs: 0 },
  teams: { perPlaceMs: 1000, inAllMs: 0 },
  // Firebase takes 240 a minute for one device.
  webpush: { perPlaceMs: 250, inAllMs: 0 },
}

export function paceOf(kind: MessengerKind, target: string): Pace {
  if (kind !== 'telegram') return PACES[kind]
  return /^\d/.test(addressIn(target)) ? TELEGRAM.private : TELEGRAM.group
}
