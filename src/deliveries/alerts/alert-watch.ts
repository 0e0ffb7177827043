import { randomBytes } from 'node:crypto'
import { newIdentifier } from '../../domain/identifier.ts'
import { type NewWatch, WATCH_EVENTS, type WatchFilter } from '../../domain/watch.ts'
import { ALERTS_ACCOUNT_ID } from './alerts-account.ts'

/** Where the messages of an alert go. */
export interface AlertPlace {
  readonly channel: 'email' | 'webpush'
  /** What is shown of the address. */
  readonly url: string
  /** The address with what the messages need: the watch's secret. */
  readonly target: string
}

/** The watch of an alert without an account. */
export function alertWatch(
  { channel, url, target }: AlertPlace,
  filter: WatchFilter,
  status: 'active' | 'paused',
  now: number,
): NewWatch {
  const id = newIdentifier('watch', now, randomBytes)
  return {
    id,
    accountId: ALERTS_ACCOUNT_ID,
    // Unique; readers see the label, which is in the encrypted address.
    name: id,
    channel,
    url,
    description: null,
    filter,
    events: WATCH_EVENTS,
    status,
    disabledReason: null,
    secrets: [{ secret: target, expiresAt: null }],
    headers: [],
    schedule: null,
    createdAt: now,
    updatedAt: now,
  }
}
