import { type DeliveryStatus, storableExcerpt } from '../../domain/delivery/delivery.ts'
import type { AttemptResult } from '../deliveries.ts'

/** A delivery as it stands, and as the attempts leave it. */
export interface Standing {
  id: string
  watch_id: string
  status: string
  attempts: number
  tries: number
  due_at: number | null
  lease_owner: string | null
  finished_at: number | null
}

export interface KeptAttempt extends Omit<AttemptResult, 'retryAt'> {
  readonly number: number
}

/** What an owner's results come to. Deliveries that are gone with their watch are left out. */
export interface Recorded {
  readonly deliveries: readonly Standing[]
  readonly attempts: readonly KeptAttempt[]
  readonly experiences: readonly Experience[]
}

/** How an attempt went, for the watch that it was made for. */
export interface Experience {
  readonly watchId: string
  readonly result: AttemptResult
}

/** How a watch has fared in a batch. */
export interface Trend {
  readonly succeeded: boolean
  /** The first failure after the last success. */
  readonly failedAt: number | null
}

export function recordOf(
  owner: string,
  results: readonly AttemptResult[],
  standings: readonly Standing[],
  now: number,
): Recorded {
  const deliveries = new Map(standings.map((standing) => [standing.id, standing]))
  const attempts: KeptAttempt[] = []
  const experiences: Experience[] = []
  for (const result of results.toSorted((one, other) => one.at - other.at)) {
    const standing = deliveries.get(result.deliveryId)
    if (standing === undefined) continue
    const next = after(standing, result, owner, now)
    deliveries.set(next.id, next)
    const { retryAt: _, ...attempt } = result
    attempts.push({
      ...attempt,
      number: next.attempts,
      answer: storableExcerpt(attempt.answer),
      error: storableExcerpt(attempt.error),
    })
    experiences.push({ watchId: next.watch_id, result })
  }
  return { deliveries: [...deliveries.values()], attempts, experiences }
}

function after(standing: Standing, result: AttemptResult, owner: string, now: number): Standing {
  const counted = { ...standing, attempts: standing.attempts + 1 }
  const held = standing.status === 'pending' && standing.lease_owner === owner
  if (!held && (result.outcome !== 'delivered' || standing.status === 'delivered')) return counted
  const state = stateAfter(result)
  return {
    ...counted,
    tries: standing.tries + 1,
    status: state,
    due_at: state === 'pending' ? result.retryAt : null,
    finished_at: state === 'pending' ? null : now,
    lease_owner: null,
  }
}

function stateAfter({ outcome, retryAt }: AttemptResult): DeliveryStatus {
  if (outcome === 'delivered') return 'delivered'
  return retryAt === null ? 'failed' : 'pending'
}

/** By watch. */
export function trendsOf(experiences: readonly Experience[]): Map<string, Trend> {
  const trends = new Map<string, Trend>()
  for (const { watchId, result } of experiences.toSorted((one, other) => one.result.at - other.result.at))
    trends.set(watchId, trendAfter(trends.get(watchId), result))
  return trends
}

function trendAfter(before: Trend | undefined, { outcome, at }: AttemptResult): Trend {
  if (outcome === 'delivered') return { succeeded: true, failedAt: null }
  return { succeeded: before?.succeeded ?? false, failedAt: before?.failedAt ?? at }
}

/** Since when a watch has been failing, which was failing since `before`. */
export function failingSince({ succeeded, failedAt }: Trend, before: number | null): number | null {
  return succeeded ? failedAt : (before ?? failedAt)
}
