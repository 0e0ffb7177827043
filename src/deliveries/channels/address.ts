import { createHash } from 'node:crypto'
import type { ChannelKind, MessengerKind } from '../../domain/channel.ts'
import { emailTargetOf } from './email-target.ts'
import { shownEndpoint, subscriptionOf } from './push/subscription.ts'

/**
 * Kinds whose messages go to a URL that the owner got from the channel: whoever has it can write
 * there.
 */
export type UrlKind = 'slack' | 'discord' | 'teams'

interface UrlRule {
  readonly hosts: RegExp
  readonly path: RegExp
  readonly example: string
}

/**
 * Where each channel gives out addresses. A URL elsewhere would be a webhook without a signature.
 */
const RULES: Readonly<Record<UrlKind, UrlRule>> = {
  slack: {
    hosts: /^hooks\.slack(-gov)?\.com$/,
    path: /^\/services\/[\w-]+\/[\w-]+\/[\w-]+$/,
    example: 'https://hooks.slack.com/services/T…/B…/…',
  },
  discord: {
    hosts: /^((ptb|canary)\.)?discord(app)?\.com$/,
    path: /^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+$/,
    example: 'https://discord.com/api/webhooks/…/…',
  },
  teams: {
    hosts: /^[\w.-]+\.(logic\.azure\.com|api\.powerplatform\.com)$/,
    path: /\/triggers\/[\w-]+\/paths\/invoke$/,
    example:
      'https://….api.powerplatform.com/powerautomate/automations/direct/workflows/…/triggers/manual/paths/invoke?…',
  },
}

export function isUrlKind(kind: ChannelKind): kind is UrlKind {
  return kind in RULES
}

export interface UrlCheck {
  /** In words that follow "url"; null if messages may go there. */
  readonly fault: string | null
  /** False if the host is one of the channel's own: then it needs no further check. */
  readonly foreign: boolean
}

/** `furtherHosts` are those of CHANNEL_HOSTS: services that take the same messages. */
export function checkChannelUrl(kind: UrlKind, text: string, furtherHosts: readonly string[]): UrlCheck {
  const { hosts, path, example } = RULES[kind]
  const url = URL.parse(text)
  if (url === null)
    return { fault: `is not a URL; give the one that the channel shows, such as ${example}`, foreign: false }
  if (furtherHosts.includes(url.hostname) || furtherHosts.includes(url.host)) return { fault: null, foreign: true }
  if (
    url.protocol !== 'https:' ||
    !hosts.test(url.hostname) ||
    url.port !== '' ||
    url.username !== '' ||
    url.hash !== ''
  )
    return {
      fault: `is not an address of ${NAMES[kind]}; give the one that it shows, such as ${example}`,
      foreign: false,
    }
  if (!path.test(url.pathname))
    return { fault: `is not the whole address of a webhook; it looks like ${example}`, foreign: false }
  return { fault: null, foreign: false }
}

export const NAMES = {
  email: 'e-mail',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  telegram: 'Telegram',
  webpush: 'Web push',
} as const satisfies Record<MessengerKind, string>

/** A user, group or channel by its number, or a public one by its name. */
const CHAT_ID = /^(-?[1-9]\d{0,19}|@[A-Za-z]\w{3,31})$/

export function chatIdFault(text: string): string | null {
  return CHAT_ID.test(text)
    ? null
    : 'must be the number of a chat, such as -1001234567890, or the name of a public one, such as @lagos_roads'
}

/**
 * What is shown and logged instead of the address. The address of a webhook is a secret, so of it
 * only the host and a fingerprint are shown: another address has another one.
 */
export function shownAddress(kind: MessengerKind, target: string): string {
  if (kind === 'email') return `mailto:${emailTargetOf(target)?.to ?? ''}`
  if (kind === 'webpush') return shownEndpoint(subscriptionOf(target)!.endpoint)
  if (!isUrlKind(kind)) return `${kind}:${target}`
  const fingerprint = createHash('sha256').update(target).digest('hex').slice(0, 8)
  return `${new URL(target).origin}/***${fingerprint}`
}
