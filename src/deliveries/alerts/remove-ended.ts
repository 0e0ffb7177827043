import { ACCOUNT_BLOCKED_REASON } from '../../domain/accounts.ts'
import type { Store } from '../../store/store.ts'
import { ALERTS_ACCOUNT_ID } from './alerts-account.ts'
import { ASK_AGAIN_AFTER_MS, LINK_VALID_MS } from './request-alert.ts'

const BATCH = 200

/** Deletes alerts that nobody confirmed or whose receiver is gone, and who was asked long ago. */
export async function removeEndedAlerts(
  { alerts, watches }: Pick<Store, 'alerts' | 'watches'>,
  now: number,
): Promise<void> {
  await alerts.deleteRequests(now - ASK_AGAIN_AFTER_MS)
  for (;;) {
    const ended = await alerts.toRemove(now - LINK_VALID_MS, ACCOUNT_BLOCKED_REASON, BATCH)
    for (const id of ended) await watches.remove(ALERTS_ACCOUNT_ID, id)
    if (ended.length < BATCH) return
  }
}
