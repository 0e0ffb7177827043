import type { Verdict } from './verdict.ts'

/** Why the service itself has switched a watch off, in words for its owner. */
export const DISABLED_REASONS = {
  gone: 'The endpoint answered 410 Gone.',
  failing: 'Every attempt failed for five days.',
} as const
export type DisabledReason = keyof typeof DISABLED_REASONS

const LONGEST_FAILING = 5 * 24 * 3_600_000

export interface WatchHealth {
  /** When the first attempt failed since the last that succeeded; null while all is well. */
  readonly failingSince: number | null
  readonly disabled: DisabledReason | null
}

/** How a watch stands after an attempt at one of its deliveries. */
export function watchHealthAfter(failingSince: number | null, outcome: Verdict['outcome'], now: number): WatchHealth {
  if (outcome === 'delivered') return { failingSince: null, disabled: null }
  const since = failingSince ?? now
  if (outcome === 'gone') return { failingSince: since, disabled: 'gone' }
  return { failingSince: since, disabled: now - since >= LONGEST_FAILING ? 'failing' : null }
}
