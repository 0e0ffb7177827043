import type { ChannelKind } from '../../../src/domain/channel.ts'
import type { Language } from '../../../src/domain/languages.ts'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import type { ShownSchedule } from '../schedule/schedule-form.ts'

/** A watch as the API shows it. */
export interface WatchEntry extends ShownSchedule {
  readonly id: string
  readonly name: string
  readonly channel: { readonly kind: ChannelKind; readonly language: Language | null }
  /** Of other channels than webhooks, what is shown of their address. */
  readonly url: string
  readonly description: string | null
  readonly filter: Readonly<Record<string, unknown>>
  readonly events: readonly WatchEvent[]
  /** The names; every value is shown as `***`. */
  readonly headers: Readonly<Record<string, string>>
  readonly status: 'active' | 'failing' | 'paused' | 'disabled'
  readonly disabled_reason: string | null
  readonly failing_since: string | null
  readonly sequence: number
  readonly created_at: string
  readonly updated_at: string
}

export const CHANNEL_WORDS: Readonly<Record<ChannelKind, string>> = {
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
export function healthText({ status, disabled_reason, sequence }: WatchEntry, failingFor: string | null): string {
  if (status === 'failing')
    return `Every attempt since ${failingFor} has failed. It is disabled after five days of that.`
  if (status === 'disabled') return `Disabled by the service: ${disabled_reason ?? 'its endpoint failed for too long'}`
  if (status === 'paused') return 'Paused: nothing is sent until you resume it.'
  if (sequence === 0) return 'Waiting for its first incident.'
  return `${sequence === 1 ? 'One message' : `${sequence} messages`} so far.`
}
