import type { Store, UsageCount } from '../store/store.ts'

/** Counts requests in memory: a request must not wait for its own accounting. */
export class UsageMeter {
  #counts = new Map<string, UsageCount & { requests: number; lastAt: number }>()
  /** Counts of days that ended before they were written. */
  #earlierDays: UsageCount[] = []

  countRequest(keyId: string, now: number): void {
    this.#addCount(keyId, dayOf(now), 1, now)
  }

  /** Removes and returns all counts. The caller writes them, or returns them with `restore`. */
  drain(): UsageCount[] {
    const counts = [...this.#earlierDays, ...this.#counts.values()]
    this.#counts = new Map()
    this.#earlierDays = []
    return counts
  }

  restore(counts: readonly UsageCount[]): void {
    for (const { keyId, day, requests, lastAt } of counts) this.#addCount(keyId, day, requests, lastAt)
  }

  #addCount(keyId: string, day: string, requests: number, lastAt: number): void {
    const counted = this.#counts.get(keyId)
    if (counted?.day === day) {
      counted.requests += requests
      if (lastAt > counted.lastAt) counted.lastAt = lastAt
      return
    }
    if (counted) this.#earlierDays.push(counted)
    this.#counts.set(keyId, { keyId, day, requests, lastAt })
  }
}

/** Writes the counts to the store. Counts that cannot be written stay in the meter. */
export async function flushUsage(store: Store, meter: UsageMeter): Promise<void> {
  const counts = meter.drain()
  if (counts.length === 0) return
  try {
    await store.usage.addCounts(counts)
  } catch (error) {
    meter.restore(counts)
    throw error
  }
}

let day = ''
let dayStartedAt = Number.NaN

/** The UTC day as `2026-11-15`, cached: every request needs it. */
export function dayOf(now: number): string {
  const startedAt = Math.floor(now / 86_400_000) * 86_400_000
  if (startedAt !== dayStartedAt) {
    dayStartedAt = startedAt
    day = new Date(now).toISOString().slice(0, 10)
  }
  return day
}
