import { type DeliveryStatus, storableExcerpt } from '../../domain/delivery/delivery.ts'
import type { AttemptResult } from '../deliveries.ts'

/** The columns that an attempt can change. */
export interface DeliveryState {
  id: string
  watch_id: string
  status: string
  attempts: number
  tries: number
  due_at: number | null
  lease_owner: string | null
  finished_at: number | null
}

export interface NumberedAttempt extends Omit<AttemptResult, 'retryAt'> {
  readonly number: number
}

/** The rows that a batch changes, without deliveries of removed watches. */
export interface AppliedResults {
  readonly deliveries: readonly DeliveryState[]
  readonly attempts: readonly NumberedAttempt[]
  readonly watchResults: readonly WatchResult[]
}

export interface WatchResult {
  readonly watchId: string
  readonly result: AttemptResult
}

/** The outcome of one batch for one watch. */
export interface WatchOutcome {
  readonly succeeded: boolean
  /** First failure after the last success. */
  readonly failedAt: number | null
}

export function applyResults(
  owner: string,
  results: readonly AttemptResult[],
  states: readonly DeliveryState[],
  now: number,
): AppliedResults {
  const deliveries = new Map(states.map((state) => [state.id, state]))
  const attempts: NumberedAttempt[] = []
  const watchResults: WatchResult[] = []
  for (const result of results.toSorted((one, other) => one.at - other.at)) {
    const state = deliveries.get(result.deliveryId)
    if (state === undefined) continue
    const next = stateAfter(state, result, owner, now)
    deliveries.set(next.id, next)
    const { retryAt: _, ...attempt } = result
    attempts.push({
      ...attempt,
      number: next.attempts,
      answer: storableExcerpt(attempt.answer),
      error: storableExcerpt(attempt.error),
    })
    watchResults.push({ watchId: next.watch_id, result })
  }
  return { deliveries: [...deliveries.values()], attempts, watchResults }
}

function stateAfter(state: DeliveryState, result: AttemptResult, owner: string, now: number): DeliveryState {
  const counted = { ...state, attempts: state.attempts + 1 }
  const held = state.status === 'pending' && state.lease_owner === owner
  if (!held && (result.outcome !== 'delivered' || state.status === 'delivered')) return counted
  const status = statusAfter(result)
  return {
    ...counted,
    tries: state.tries + 1,
    status,
    due_at: status === 'pending' ? result.retryAt : null,
    finished_at: status === 'pending' ? null : now,
    lease_owner: null,
  }
}

function statusAfter({ outcome, retryAt }: AttemptResult): DeliveryStatus {
  if (outcome === 'delivered') return 'delivered'
  return retryAt === null ? 'failed' : 'pending'
}

export function outcomesByWatch(watchResults: readonly WatchResult[]): Map<string, WatchOutcome> {
  const outcomes = new Map<string, WatchOutcome>()
  for (const { watchId, result } of watchResults.toSorted((one, other) => one.result.at - other.result.at))
    outcomes.set(watchId, outcomeAfter(outcomes.get(watchId), result))
  return outcomes
}

function outcomeAfter(before: WatchOutcome | undefined, { outcome, at }: AttemptResult): WatchOutcome {
  if (outcome === 'delivered') return { succeeded: true, failedAt: null }
  return { succeeded: before?.succeeded ?? false, failedAt: before?.failedAt ?? at }
}

/** Returns since when a watch has been failing, given the value before the batch. */
export function failingSinceAfter({ succeeded, failedAt }: WatchOutcome, before: number | null): number | null {
  return succeeded ? failedAt : (before ?? failedAt)
}
