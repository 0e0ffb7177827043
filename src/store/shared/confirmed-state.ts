import { ACCOUNT_BLOCKED_REASON } from '../../domain/accounts.ts'
import type { WatchPatch } from '../../domain/watch.ts'

/**
 * Of an alert that its receiver confirms. While the operator holds all alerts, it waits as the
 * others do.
 */
export function confirmedState(isBlocked: boolean): Pick<WatchPatch, 'status' | 'disabledReason'> {
  return isBlocked ? { status: 'disabled', disabledReason: ACCOUNT_BLOCKED_REASON } : { status: 'active' }
}
