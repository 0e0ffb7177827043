import type { Mailer } from '../../accounts/mail/mailer.ts'
import { DISABLED_REASONS, watchHealthAfter } from '../../domain/delivery/watch-health.ts'
import type { FailingWatch, Store } from '../../store/store.ts'

export interface Disabling {
  readonly clock: () => number
  /** Null where no mail is set up. */
  readonly mailer: Mailer | null
  readonly onError: (error: unknown) => void
}

/** Switches off the watches whose endpoints are gone, or have failed for too long, and tells their owners. */
export async function disableFailing(
  failing: readonly FailingWatch[],
  gone: ReadonlySet<string>,
  store: Store,
  { clock, mailer, onError }: Disabling,
): Promise<void> {
  const now = clock()
  for (const { watchId, accountId, failingSince } of failing) {
    const { disabled } = watchHealthAfter(failingSince, gone.has(watchId) ? 'gone' : 'retry', now)
    if (disabled === null) continue
    const disabledReason = DISABLED_REASONS[disabled]
    const watch = await store.watches.change(accountId, watchId, { status: 'disabled', disabledReason }, now)
    if (watch === null || typeof watch === 'string') continue
    const email = (await store.accounts.find(accountId))?.email
    if (!mailer || !email) continue
    // Not waited for: a slow mail server must not hold up deliveries.
    mailer
      .sendMail({
        to: email,
        subject: `Your watch "${watch.name}" was switched off`,
        text: `${disabledReason}\n\nNothing more is sent to ${watch.url}. Once it is back, resume the watch and recover what it missed:\n\n  PATCH /v1/watches/${watch.id} {"status": "active"}\n  POST /v1/watches/${watch.id}/recover {"since": "7d"}\n`,
      })
      .catch(onError)
  }
}
