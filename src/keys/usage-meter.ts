import type { UsageCount } from '../store/store.ts'

/** Counts requests in memory and hands them on now and then: a request must not wait for its own bookkeeping. */
export class UsageMeter {
  #counts = new Map<string, UsageCount & { requests: number }>()

  count(keyId: string, now: number): void {
    const day = dayOf(now)
    const name = `${keyId} ${day}`
    const counted = this.#counts.get(name)
    if (counted) counted.requests++
    else this.#counts.set(name, { keyId, day, requests: 1 })
  }

  /** What has been counted is the caller's to keep from here on; what it cannot keep it gives back. */
  drain(): UsageCount[] {
    const counts = [...this.#counts.values()]
    this.#counts = new Map()
    return counts
  }

  giveBack(counts: readonly UsageCount[]): void {
    for (const { keyId, day, requests } of counts) {
      const name = `${keyId} ${day}`
      const counted = this.#counts.get(name)
      if (counted) counted.requests += requests
      else this.#counts.set(name, { keyId, day, requests })
    }
  }
}

let day = ''
let dayStartedAt = Number.NaN

/** UTC, as `2026-11-15`. Kept from the last call: it is asked at every request and changes once a day. */
export function dayOf(now: number): string {
  const startedAt = Math.floor(now / 86_400_000) * 86_400_000
  if (startedAt !== dayStartedAt) {
    dayStartedAt = startedAt
    day = new Date(now).toISOString().slice(0, 10)
  }
  return day
}
