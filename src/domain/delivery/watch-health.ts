import type { Verdict } from './verdict.ts'

/** Reasons for which the service disables a watch, as sentences for its owner. */
export const DISABLED_REASONS = {
  gone: 'The endpoint answered 410 Gone.',
  failing: 'Every attempt failed for five days.',
} as const
export type DisabledReason = keyof typeof DISABLED_REASONS

const DISABLE_AFTER_MS = 5 * 24 * 3_600_000

export interface WatchHealth {
  /** The time of the first failure since the last success; null if the last attempt succeeded. */
  readonly failingSince: number | null
  readonly disabled: DisabledReason | null
}

export function watchHealthAfter(failingSince: number | null, outcome: Verdict['outcome'], now: number): WatchHealth {
  if (outcome === 'delivered') return { failingSince: null, disabled: null }
  const since = failingSince ?? now
  if (outcome === 'gone') return { failingSince: since, disabled: 'gone' }
  return { failingSince: since, disabled: now - since >= DISABLE_AFTER_MS ? 'failing' : null }
}
