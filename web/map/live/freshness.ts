export type ConnectionState = 'connecting' | 'streaming' | 'polling' | 'lost'
export type Freshness = 'live' | 'behind' | 'offline'

/** The stream sends at least every 15 seconds, and polls come as often; two may be late. */
export const SILENCE_TIMEOUT_MS = 40_000
const OFFLINE_AFTER_MS = 90_000

/**
 * Says how current the page is: `live` only while a new incident would appear at once, or within
 * one poll.
 */
export function freshnessOf(
  connection: ConnectionState,
  lastActivityAt: number,
  inStepAt: number,
  now: number,
  online: boolean,
): Freshness {
  const silenceMs = now - lastActivityAt
  if (!online || silenceMs >= OFFLINE_AFTER_MS) return 'offline'
  const connected = connection === 'streaming' || connection === 'polling'
  // The connection may be fine while the server itself is cut off from the log of incidents.
  return connected && silenceMs < SILENCE_TIMEOUT_MS && now - inStepAt < SILENCE_TIMEOUT_MS ? 'live' : 'behind'
}

const MAX_RECONNECT_DELAY_MS = 30_000

/**
 * Returns the delay before a reconnect: doubled with each attempt, with up to 30 % jitter so that
 * many pages do not reconnect at the same moment.
 */
export function reconnectDelay(attempt: number, firstDelayMs: number, random: () => number): number {
  return Math.min(MAX_RECONNECT_DELAY_MS, firstDelayMs * 2 ** Math.min(attempt, 10)) * (0.7 + 0.3 * random())
}
