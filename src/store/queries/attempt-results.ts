import { type AttemptOutcome, type DeliveryStatus, storableExcerpt } from '../../domain/delivery.ts'
import { type FailureHistory, historyAfter } from '../../domain/watch-health.ts'
import type { AttemptResult, FailingWatch } from '../interface/deliveries.ts'

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

export interface NumberedAttempt extends Omit<AttemptResult, 'retryAt' | 'url' | 'watchId' | 'gone'> {
  readonly number: number
  readonly outcome: AttemptOutcome
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
    const { retryAt: _, url: __, watchId: ___, gone: ____, outcome, ...attempt } = result
    if (outcome === 'cancelled') continue
    attempts.push({
      ...attempt,
      outcome,
      number: next.attempts,
      answer: storableExcerpt(attempt.answer),
      error: storableExcerpt(attempt.error),
    })
    watchResults.push({ watchId: next.watch_id, result })
  }
  return { deliveries: [...deliveries.values()], attempts, watchResults }
}

function stateAfter(state: DeliveryState, result: AttemptResult, owner: string, now: number): DeliveryState {
  const held = state.status === 'pending' && state.lease_owner === owner
  if (result.outcome === 'cancelled') {
    if (!held) return state
    return { ...state, status: 'cancelled', due_at: null, finished_at: now, lease_owner: null }
  }
  const counted = { ...state, attempts: state.attempts + 1 }
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

export function resultsByWatch(watchResults: readonly WatchResult[]): Map<string, AttemptResult[]> {
  const results = new Map<string, AttemptResult[]>()
  for (const { watchId, result } of watchResults) {
    const earlier = results.get(watchId)
    if (earlier === undefined) results.set(watchId, [result])
    else earlier.push(result)
  }
  return results
}

/** Watches with a failed result; the others need an update only if they were failing before. */
export function watchesWithFailure(results: ReadonlyMap<string, readonly AttemptResult[]>): string[] {
  return [...results].filter(([, each]) => each.some(({ outcome }) => outcome !== 'delivered')).map(([id]) => id)
}

export interface WatchHealthRow {
  watch_id: string
  account_id: string
  url: string
  failing_since: number | null
  /** JSON list of times; null if empty. */
  failures: string | null
  warnings: number
}

export interface WatchHealthUpdate {
  readonly history: FailureHistory
  readonly changed: boolean
  /** Null if the results contain no failure of the current URL after its last success. */
  readonly failing: FailingWatch | null
}

/** Applies one batch's results for one watch. */
export function healthUpdateOf(row: WatchHealthRow, results: readonly AttemptResult[]): WatchHealthUpdate {
  const before: FailureHistory = { failingSince: row.failing_since, failures: JSON.parse(row.failures ?? '[]') }
  const counted = results.filter(({ url }) => url === row.url).toSorted((one, other) => one.at - other.at)
  const history = counted.reduce(
    (soFar, { outcome, at }) => historyAfter(soFar, { delivered: outcome === 'delivered', at }),
    before,
  )
  const lastSuccess = counted.findLastIndex(({ outcome }) => outcome === 'delivered')
  const failed = counted.slice(lastSuccess + 1)
  const failing: FailingWatch | null =
    failed.length === 0
      ? null
      : {
          watchId: row.watch_id,
          accountId: row.account_id,
          url: row.url,
          history,
          gone: failed.some(({ statusCode, gone }) => gone === true || statusCode === 410),
          warnings: lastSuccess === -1 ? row.warnings : 0,
        }
  return { history, changed: counted.length > 0, failing }
}

export function failuresText({ failures }: FailureHistory): string | null {
  return failures.length === 0 ? null : JSON.stringify(failures)
}
