import type { Mailer } from '../../accounts/mail/mailer.ts'
import { mailNotice } from '../../accounts/mail/notices.ts'
import { DISABLED_REASONS } from '../../domain/watch-health.ts'
import type { Store } from '../../store/store.ts'
import { isAlert } from './browser-watches.ts'

const DAY_MS = 86_400_000
/** A browser that shows notifications, but whose owner never opens a page, may be nobody's. */
export const UNSEEN_AFTER_MS = 60 * DAY_MS
const BATCH = 100

/**
 * Disables watches whose browser has not been seen for 60 days, and mails their owners; alerts
 * without an account are deleted.
 */
export async function disableUnseenBrowsers(
  store: Store,
  mailer: Mailer | null,
  now: number,
  onError: (error: unknown) => void,
): Promise<void> {
  const reason = DISABLED_REASONS.unseen
  for (;;) {
    const unseen = await store.push.unseen(now - UNSEEN_AFTER_MS, BATCH)
    for (const { watchId, accountId, url } of unseen) {
      const disabled = await store.watches.disable(accountId, watchId, { url, reason }, now)
      if (disabled && isAlert({ accountId })) await store.watches.remove(accountId, watchId)
      // One mail that fails must not keep the other watches waiting.
      else if (disabled && mailer !== null)
        await mailNotice(store, mailer, accountId, notice(watchId, reason), now).catch(onError)
    }
    if (unseen.length < BATCH) return
  }
}

function notice(id: string, reason: string) {
  return {
    subject: 'Notifications in a browser of yours were switched off',
    text: `${reason}\n\nNothing more is sent for the watch ${id}. To have notifications again, open the console in the browser that is to show them, and turn them on there.\n`,
  }
}
