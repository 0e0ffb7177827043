import type { Incident } from '../../domain/incident.ts'
import type { Retraction } from '../../domain/message-content.ts'
import { SEVERITIES, type Severity } from '../../domain/taxonomy.ts'
import type { WatchEvent } from '../../domain/watch.ts'
import type { Mails } from '../../store/store.ts'

const HOUR_MS = 3_600_000
/** Messages that wait for the next hour fall due over this time, not all at once. */
const SPREAD_MS = 120_000

/** Parts of the hour for a severity and those above it; the rest is for critical messages. */
const SHARES: Readonly<Record<Exclude<Severity, 'critical'>, number>> = { low: 0.4, medium: 0.2, high: 0.2 }

/** Each severity's own part of the messages of an hour; together they are the cap. */
export function partsOf(cap: number): Record<Severity, number> {
  const low = Math.floor(cap * SHARES.low)
  const medium = Math.floor(cap * SHARES.medium)
  const high = Math.floor(cap * SHARES.high)
  return { low, medium, high, critical: cap - low - medium - high }
}

/** A severity uses its own part, then those of lower ones, so that they starve last. */
export function partsFor(severity: Severity): Severity[] {
  return SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1).toReversed()
}

/**
 * Counts messages of alerts against ALERTS_PER_HOUR, over all nodes and restarts, by hours of the
 * clock. One event cannot send more, and low ones leave room for critical ones.
 */
export class AlertCap {
  readonly #mails: Pick<Mails, 'countMail'>
  readonly #parts: Readonly<Record<Severity, number>>
  /** Used parts of an hour: a hundred thousand waiting messages ask the database once. */
  #usedUp: { readonly hour: string; readonly parts: Set<Severity> } = { hour: '', parts: new Set() }

  constructor(mails: Pick<Mails, 'countMail'>, cap: number) {
    this.#mails = mails
    this.#parts = partsOf(cap)
  }

  /** Counts one message; returns when to ask again if the hour has no room for it. */
  async admit(severity: Severity, now: number, random: () => number): Promise<number | null> {
    const hour = new Date(now).toISOString().slice(0, 13)
    if (hour !== this.#usedUp.hour) this.#usedUp = { hour, parts: new Set() }
    // Kept over the wait: the next hour may begin meanwhile, and has used up nothing.
    const { parts } = this.#usedUp
    for (const part of partsFor(severity)) {
      if (parts.has(part)) continue
      if (await this.#mails.countMail(`alerts ${part}`, hour, this.#parts[part])) return null
      parts.add(part)
    }
    return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS + Math.floor(random() * SPREAD_MS)
  }
}

/** As long as a message says that it counts; see `channels/alert.ts`. */
const COUNTS_FOR_MS = 24 * HOUR_MS

/** A withdrawal is never outdated. */
export function isOutdated(document: string, event: WatchEvent, now: number): boolean {
  if (event === 'incident.retracted') return false
  const incident = JSON.parse(document) as Incident | Retraction
  return 'updated_at' in incident && now > Date.parse(incident.updated_at) + COUNTS_FOR_MS
}

/** Returns a time if the message must wait until then. */
export async function admitAlert(
  cap: AlertCap,
  document: string,
  now: number,
  random: () => number,
): Promise<'now' | number> {
  const { severity } = JSON.parse(document) as Incident | Retraction
  return (await cap.admit(severity, now, random)) ?? 'now'
}
