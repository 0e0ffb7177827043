import type { Watch } from '../../../client/src/generated/types.ts'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import { createStore } from '../../shared/store.ts'

export const CHANNEL_WORDS: Readonly<Record<Watch['channel']['kind'], string>> = {
  webhook: 'Webhook: signed JSON for a program',
  email: 'E-mail to your own address',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  telegram: 'Telegram',
  webpush: 'Notifications in this browser',
}

export const EVENT_WORDS: Readonly<Record<WatchEvent, string>> = {
  'incident.created': 'New incidents',
  'incident.updated': 'Corrections',
  'incident.retracted': 'Retractions',
}

/** The health of a watch in a sentence. */
export function healthText({ status, disabled_reason, sequence }: Watch, failingFor: string | null): string {
  if (status === 'failing')
    return `Every attempt since ${failingFor} has failed. It is disabled after five days of that.`
  if (status === 'disabled') return `Disabled by the service: ${disabled_reason ?? 'its endpoint failed for too long'}`
  if (status === 'paused') return 'Paused: nothing is sent until you resume it.'
  if (sequence === 0) return 'Waiting for its first incident.'
  return `${sequence === 1 ? 'One message' : `${sequence} messages`} so far.`
}

/**
 * The secret that was made on this page, with its watch; the service does not show it a second
 * time.
 */
export const newSecret = createStore<{ readonly watchId: string; readonly secret: string } | null>(null)
