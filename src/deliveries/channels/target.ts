import { createHash } from 'node:crypto'
import { PREFIXES, SUFFIX_LENGTH } from '../../domain/identifier.ts'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '../../domain/languages.ts'
import type { ChannelKind, MessengerKind } from '../../domain/watch.ts'
import { shownEndpoint, subscriptionOf } from './browser-subscription.ts'

/*
 * The secret of a watch for people says where its messages go, and in which language they are. The
 * language is there and not in a column of its own: it says something about a person, and goes with
 * the address.
 */

/** For an address of one text. English has the address alone, as before languages. */
export function targetText(address: string, language: Language): string {
  return language === DEFAULT_LANGUAGE ? address : JSON.stringify({ address, language })
}

/** The same target with another language; the address stays. */
export function inLanguage(target: string, language: Language): string {
  if (!target.startsWith('{')) return targetText(target, language)
  return JSON.stringify({ ...(JSON.parse(target) as object), language })
}

/** The address in a text that `targetText` wrote. */
export function addressIn(target: string): string {
  return target.startsWith('{') ? (JSON.parse(target) as { address: string }).address : target
}

/** The language of the messages, whatever the channel. */
export function languageIn(target: string): Language {
  if (!target.startsWith('{')) return DEFAULT_LANGUAGE
  const { language } = JSON.parse(target) as { language?: string }
  return isLanguage(language) ? language : DEFAULT_LANGUAGE
}

/** The address of mails, and what their links need. Stored as the watch's secret. */
export interface EmailTarget {
  readonly to: string
  /** The random part of the link in every mail: whoever has it can end the watch. */
  readonly key: string
  /** The area in the reader's words; null for a watch of an account, which has a name. */
  readonly label: string | null
  /** Absent in targets from before mails had a language: English. */
  readonly language?: Language
}

/** Bytes of the random part of a link. */
export const LINK_KEY_BYTES = 18
const LINK_KEY_LENGTH = 24
const LINK_TOKEN = new RegExp(`^([0-9a-z]{${SUFFIX_LENGTH}})([\\w-]{${LINK_KEY_LENGTH}})$`)

export function emailTargetText({ to, key, label, language }: EmailTarget): string {
  return JSON.stringify({ to, key, label, language })
}

/** Null if the text is no such target: its key was lost, and a new secret put in its place. */
export function emailTargetOf(text: string): EmailTarget | null {
  if (!text.startsWith('{')) return null
  return JSON.parse(text) as EmailTarget
}

/** The part of a link that names the watch and shows that its mails are read. */
export function linkToken(watchId: string, key: string): string {
  return `${watchId.slice(PREFIXES.watch.length)}${key}`
}

/**
 * The path of the page for the watches that a mail is for: GET asks, POST ends the mails of all of
 * them. The first token is in the path, the others in the query.
 */
export function linkPath([first, ...others]: readonly string[]): string {
  return `/alerts/${first}${others.length === 0 ? '' : `?and=${others.join('.')}`}`
}

export function readLinkToken(token: string): { readonly watchId: string; readonly key: string } | null {
  const found = LINK_TOKEN.exec(token)
  return found === null ? null : { watchId: `${PREFIXES.watch}${found[1]}`, key: found[2]! }
}

/** Kinds with a URL given out by the channel: whoever has it can write there. */
export type UrlKind = 'slack' | 'discord' | 'teams'

/** The addresses that channels give out. A URL elsewhere would be an unsigned webhook. */
const RULES: Readonly<Record<UrlKind, { hosts: RegExp; path: RegExp; example: string }>> = {
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

interface UrlCheck {
  /** In words that follow "url"; null if messages may go there. */
  readonly fault: string | null
  /** False if the host is one of the channel's own: then it needs no further check. */
  readonly foreign: boolean
}

/** `furtherHosts` are those of CHANNEL_HOSTS: services that take the same messages. */
export function checkChannelUrl(kind: UrlKind, text: string, furtherHosts: readonly string[]): UrlCheck {
  const url = URL.parse(text)
  const foreign = url !== null && (furtherHosts.includes(url.hostname) || furtherHosts.includes(url.host))
  return { fault: foreign ? null : ownUrlFault(kind, url), foreign }
}

function ownUrlFault(kind: UrlKind, url: URL | null): string | null {
  const { hosts, path, example } = RULES[kind]
  if (url === null) return `is not a URL; give the one that the channel shows, such as ${example}`
  const { protocol, hostname, port, username, hash } = url
  if (protocol !== 'https:' || !hosts.test(hostname) || port !== '' || username !== '' || hash !== '')
    return `is not an address of ${NAMES[kind]}; give the one that it shows, such as ${example}`
  return path.test(url.pathname) ? null : `is not the whole address of a webhook; it looks like ${example}`
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
 * Shown and logged instead of the address. The address of a webhook is a secret, so of it
 * only the host and a fingerprint are shown: another address has another one.
 */
export function shownAddress(kind: MessengerKind, target: string): string {
  if (kind === 'email') return `mailto:${emailTargetOf(target)?.to ?? ''}`
  if (kind === 'webpush') return shownEndpoint(subscriptionOf(target)!.endpoint)
  if (!isUrlKind(kind)) return `${kind}:${target}`
  const fingerprint = createHash('sha256').update(target).digest('hex').slice(0, 8)
  return `${new URL(target).origin}/***${fingerprint}`
}

/**
 * Whether one message does for both targets, which the store takes for one receiver's. Mailboxes
 * are counted without the tag of an address, but who has another address may be another person; and
 * a group may want each message in two languages.
 */
export function isSameReceiver(kind: ChannelKind, one: string, other: string): boolean {
  if (languageIn(one) !== languageIn(other)) return false
  if (kind !== 'email') return true
  const [first, second] = [emailTargetOf(one), emailTargetOf(other)]
  return first !== null && second !== null && first.to.toLowerCase() === second.to.toLowerCase()
}

/** The address of a page of the service in the language of the message that links it. */
export function pageAddress(publicUrl: string, path: string, language: Language): string {
  if (language === DEFAULT_LANGUAGE) return `${publicUrl}${path}`
  return `${publicUrl}${path}${path.includes('?') ? '&' : '?'}lang=${language}`
}
