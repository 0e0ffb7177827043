import { type Mailer, mailNotice, type Notice } from '../accounts/mail.ts'
import { DISABLED_REASONS, disabledReason, warningsDue } from '../domain/watch-health.ts'
import type { FailingWatch, Store } from '../store/store.ts'

/** Disables watches whose endpoints are gone or failed for too long, and mails their owners. */
export async function disableFailingWatches(
  failing: readonly FailingWatch[],
  store: Store,
  { clock, mailer, onError }: { clock: () => number; mailer: Mailer | null; onError: (error: unknown) => void },
): Promise<void> {
  const now = clock()
  for (const watch of failing) {
    const mail = await noticeFor(watch, store, now)
    if (mail === null || mailer === null) continue
    // Not awaited: a slow mail server must not delay deliveries.
    mailNotice(store, mailer, watch.accountId, mail, now).catch(onError)
  }
}

/** Null if the owner need not be told. */
async function noticeFor(watch: FailingWatch, store: Store, now: number): Promise<Notice | null> {
  const { accountId, watchId, url, history, gone, warnings } = watch
  const reason = disabledReason(history, gone, now)
  if (reason !== null) {
    const disabled = await store.watches.disable(accountId, watchId, { url, reason: DISABLED_REASONS[reason] }, now)
    return disabled ? disabledMail(watchId, DISABLED_REASONS[reason]) : null
  }
  const due = warningsDue(history, now)
  if (due <= warnings || !(await store.watches.countWarning(watchId, due))) return null
  return warningMail(watchId, history.failingSince!)
}

function disabledMail(id: string, reason: string): Notice {
  return {
    subject: 'A watch of yours was switched off',
    text: `${reason}\n\nNothing more is sent for the watch ${id}. Once its endpoint is back, resume it and recover what it missed:\n\n  PATCH /v1/watches/${id} {"status": "active"}\n  POST /v1/watches/${id}/recover {"since": "7d"}\n`,
  }
}

function warningMail(id: string, failingSince: number): Notice {
  return {
    subject: 'A watch of yours is failing',
    text: `Every message of the watch ${id} has failed since ${new Date(failingSince).toISOString()}. It is switched off after five days of failures. GET /v1/watches/${id}/deliveries shows what your endpoint answered.\n`,
  }
}
