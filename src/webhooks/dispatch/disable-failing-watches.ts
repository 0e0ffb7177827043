import type { Mailer } from '../../accounts/mail/mailer.ts'
import { DISABLED_REASONS, watchHealthAfter } from '../../domain/delivery/watch-health.ts'
import type { Watch } from '../../domain/watch.ts'
import type { FailingWatch, Store } from '../../store/store.ts'

export interface DisablingOptions {
  readonly clock: () => number
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null
  readonly onError: (error: unknown) => void
}

/** Disables watches whose endpoints are gone or failed for too long, and mails their owners. */
export async function disableFailingWatches(
  failing: readonly FailingWatch[],
  gone: ReadonlySet<string>,
  store: Store,
  { clock, mailer, onError }: DisablingOptions,
): Promise<void> {
  const now = clock()
  for (const { watchId, accountId, failingSince } of failing) {
    const { disabled } = watchHealthAfter(failingSince, gone.has(watchId) ? 'gone' : 'retry', now)
    if (disabled === null) continue
    const disabledReason = DISABLED_REASONS[disabled]
    const watch = await store.watches.change(accountId, watchId, { status: 'disabled', disabledReason }, now)
    if (watch === null || typeof watch === 'string') continue
    const email = (await store.accounts.find(accountId))?.email
    // Not awaited: a slow mail server must not delay deliveries.
    if (mailer && email) mailer.sendMail({ to: email, ...disabledMail(watch, disabledReason) }).catch(onError)
  }
}

function disabledMail({ id, name, url }: Watch, reason: string): { subject: string; text: string } {
  return {
    subject: `Your watch "${name}" was switched off`,
    text: `${reason}\n\nNothing more is sent to ${url}. Once it is back, resume the watch and recover what it missed:\n\n  PATCH /v1/watches/${id} {"status": "active"}\n  POST /v1/watches/${id}/recover {"since": "7d"}\n`,
  }
}
