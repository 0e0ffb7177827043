export type Connection = 'connecting' | 'streaming' | 'polling' | 'lost'
export type Freshness = 'live' | 'behind' | 'offline'

/** The stream says something at least every 15 seconds; polls come as often. Two of them may be late. */
export const SILENCE_ALLOWED = 40_000
/** After this long without a word the page knows nothing of the present. */
export const OFFLINE_AFTER = 90_000

/** How true the page is: `live` only while it would hear of a new incident at once, or within one poll. */
export function freshness(connection: Connection, heardAt: number, now: number, online: boolean): Freshness {
  const silence = now - heardAt
  if (!online || silence >= OFFLINE_AFTER) return 'offline'
  return (connection === 'streaming' || connection === 'polling') && silence < SILENCE_ALLOWED ? 'live' : 'behind'
}

const MOST_WAIT = 30_000

/** How long to wait before the next try: twice as long each time, by chance a little less, so that a crowd spreads. */
export function waitBefore(attempt: number, least: number, random: () => number): number {
  return Math.min(MOST_WAIT, least * 2 ** Math.min(attempt, 10)) * (0.7 + 0.3 * random())
}
