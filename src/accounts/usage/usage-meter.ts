import type { UsageCount } from '../../store/store.ts'

/** Counts requests in memory and hands them on now and then: a request must not wait for its own bookkeeping. */
export class UsageMeter {
  #counts = new Map<string, UsageCount & { requests: number }>()
  /** Of days that ended before they were handed on. */
  #past: UsageCount[] = []

  count(keyId: string, now: number): void {
    this.#add(keyId, dayOf(now), 1)
  }

  /** What has been counted is the caller's to keep from here on; what it cannot keep it gives back. */
  drain(): UsageCount[] {
    const counts = [...this.#past, ...this.#counts.values()]
    this.#counts = new Map()
    this.#past = []
    return counts
  }

  giveBack(counts: readonly UsageCount[]): void {
    for (const { keyId, day, requests } of counts) this.#add(keyId, day, requests)
  }

  #add(keyId: string, day: string, requests: number): void {
    const counted = this.#counts.get(keyId)
    if (counted?.day === day) {
      counted.requests += requests
      return
    }
    if (counted) this.#past.push(counted)
    this.#counts.set(keyId, { keyId, day, requests })
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
