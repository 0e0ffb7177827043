import {
  type BrowserSubscription,
  parseSubscription,
  shownEndpoint,
  subscriptionText,
} from '../../deliveries/channels/browser-subscription.ts'
import { type ConfiguredChannels, NO_BOT, telegramUrl } from '../../deliveries/channels/channel-request.ts'
import { codeMessage, isTelegramCode, telegramCode } from '../../deliveries/channels/chat.ts'
import {
  addressIn,
  chatIdFault,
  checkChannelUrl,
  emailTargetText,
  inLanguage,
  isUrlKind,
  LINK_KEY_BYTES,
  languageIn,
  NAMES,
  shownAddress,
  targetText,
  type UrlKind,
} from '../../deliveries/channels/target.ts'
import { endpointFault, type Guard } from '../../deliveries/guard/guard.ts'
import { NO_MAIL_SERVER } from '../../deliveries/send/failure.ts'
import { addressOf, type MessageSender } from '../../deliveries/send/message.ts'
import type { Account } from '../../domain/accounts.ts'
import { type FieldError, Problem } from '../../domain/errors.ts'
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGE_CODES, type Language } from '../../domain/languages.ts'
import { CHANNEL_KINDS, type ChannelKind, isMessenger, type MessengerKind, type Watch } from '../../domain/watch.ts'
import { loadLanguage } from '../../i18n/translate.ts'
import { randomBytes } from '../../lib/runtime.ts'

export interface ChannelAddress {
  readonly kind: MessengerKind
  /** A secret: whoever has it can write there. It has the language of the messages too. */
  readonly target: string
  readonly shown: string
  /** The code from the chat; null if none was sent, or none is needed. */
  readonly code: string | null
  /** True if the watch had it before: only the language is another. */
  readonly isKept?: boolean
}

export interface ChannelParts {
  readonly guard: Guard
  readonly channels: ConfiguredChannels
  readonly account: Pick<Account, 'id' | 'email' | 'emailVerifiedAt'>
  /** False if no mail server is configured. */
  readonly sendsMail: boolean
}

const MEMBERS = ['kind', 'language', 'url', 'chat_id', 'code', 'subscription']
/** The members that each channel needs besides its kind. */
const WANTED: Readonly<Record<ChannelKind, readonly string[]>> = {
  webhook: [],
  email: [],
  slack: ['url'],
  discord: ['url'],
  teams: ['url'],
  telegram: ['chat_id', 'code'],
  webpush: ['subscription'],
}

/**
 * Null for a webhook, or if the channel has errors. `before` is the watch that is changed: what is
 * not named, language or address, stays.
 */
export async function parseChannel(
  given: unknown,
  before: Pick<Watch, 'channel' | 'secrets' | 'url'> | null,
  parts: ChannelParts,
  errors: FieldError[],
): Promise<ChannelAddress | null> {
  const add = (member: string, message: string) => {
    errors.push({ pointer: `/channel${member}`, message })
    return null
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return add('', `must be an object with a kind: ${CHANNEL_KINDS.join(', ')}`)
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) return add('', `has an unknown member; known are ${MEMBERS.join(', ')}`)
  const { kind: named, language: wanted, url, chat_id, code, subscription } = given as Partial<Record<string, unknown>>
  const kind = CHANNEL_KINDS.find((each) => each === named)
  if (kind === undefined) return add('/kind', `must be one of ${CHANNEL_KINDS.join(', ')}`)
  if (before !== null && kind !== before.channel)
    return add('/kind', `cannot be changed: the watch is of ${before.channel}; make another watch`)
  for (const name of Object.keys(given))
    if (name !== 'kind' && !WANTED[kind].includes(name) && !(name === 'language' && isMessenger(kind)))
      return add(`/${name}`, `does not belong to ${kind}`)
  if (!isMessenger(kind)) return null
  if (wanted !== undefined && !(typeof wanted === 'string' && isLanguage(wanted)))
    return add('/language', `must be one of ${LANGUAGE_CODES.join(', ')}`)
  const kept = before === null ? null : addressOf(before.secrets)
  if (kept !== null && wanted !== undefined && !Object.keys(given).some((name) => WANTED[kind].includes(name)))
    return { kind, target: inLanguage(kept, wanted), shown: before!.url, code: null, isKept: true }
  const language = wanted ?? (kept === null ? DEFAULT_LANGUAGE : languageIn(kept))
  if (kind === 'email') return ownAddress(parts, language)
  if (kind === 'webpush') {
    const parsed = parseSubscription(subscription)
    if ('pointer' in parsed) return add(`/subscription${parsed.pointer}`, parsed.message)
    return browserAddress(parsed, language, parts, (message) => add('/subscription/endpoint', message))
  }
  if (isUrlKind(kind)) {
    if (typeof url !== 'string') return add('/url', `must be the address that ${NAMES[kind]} gave you`)
    return urlAddress(kind, url, language, parts, (message) => add('/url', message))
  }
  if (typeof chat_id !== 'string') return add('/chat_id', 'must be the number of a chat as a text, or @name')
  if (code !== undefined && typeof code !== 'string') return add('/code', 'must be the text that was sent to the chat')
  const fault = chatIdFault(chat_id)
  if (fault !== null) return add('/chat_id', fault)
  return {
    kind,
    target: targetText(chat_id, language),
    shown: shownAddress(kind, chat_id),
    code: code ?? null,
  }
}

/** Mails go only to the address that the account has shown to be its own: no other can be named. */
function ownAddress(
  { account: { email, emailVerifiedAt }, sendsMail }: ChannelParts,
  language: Language,
): ChannelAddress {
  if (!sendsMail) throw new Problem('channel_unavailable', NO_MAIL_SERVER)
  if (email === null || emailVerifiedAt === null)
    throw new Problem(
      'address_not_confirmed',
      'Mails go to the address of an account that has confirmed it, and yours has not. The link that /sign-in mails leads to the account that owns the address: make the watch there.',
    )
  const key = randomBytes(LINK_KEY_BYTES).toString('base64url')
  const target = emailTargetText({ to: email, key, label: null, language })
  return { kind: 'email', target, shown: shownAddress('email', target), code: null }
}

/**
 * Push services are many, so their hosts are not pinned: what is sent is signed, and nobody else
 * can read it.
 */
async function browserAddress(
  subscription: BrowserSubscription,
  language: Language,
  { guard, account }: ChannelParts,
  add: (message: string) => null,
): Promise<ChannelAddress | null> {
  const fault = await endpointFault(subscription.endpoint, guard, account.id)
  if (fault !== null) return add(fault)
  const endpoint = new URL(subscription.endpoint).href
  const target = subscriptionText({ ...subscription, endpoint }, language)
  return { kind: 'webpush', target, shown: shownEndpoint(endpoint), code: null }
}

async function urlAddress(
  kind: UrlKind,
  text: string,
  language: Language,
  { channels, guard, account }: ChannelParts,
  add: (message: string) => null,
): Promise<ChannelAddress | null> {
  const { fault, foreign } = checkChannelUrl(kind, text, channels.furtherHosts)
  if (fault !== null) return add(fault)
  const refusal = foreign ? await endpointFault(text, guard, account.id) : null
  if (refusal !== null) return add(refusal)
  const address = new URL(text).href
  return { kind, target: targetText(address, language), shown: shownAddress(kind, address), code: null }
}

interface CodeParts {
  readonly channels: ConfiguredChannels
  readonly sender: MessageSender
  readonly accountId: string
  readonly now: number
  /** Throws if the account has asked for too many codes. */
  readonly countCode: () => Promise<void>
}

/**
 * Throws unless somebody in the chat wants the messages: who asks without the code has it sent to
 * the chat. The others have shown it by the secret in their address.
 */
export async function requireAgreement(
  { kind, target, code, isKept = false }: ChannelAddress,
  parts: CodeParts,
): Promise<void> {
  if (kind !== 'telegram' || isKept) return
  const { telegram } = parts.channels
  if (telegram === null) throw new Problem('channel_unavailable', NO_BOT)
  const chatId = addressIn(target)
  const expected = telegramCode(telegram.token, parts.accountId, chatId)
  // Counted too with a code: nobody guesses one.
  await parts.countCode()
  if (code !== null && isTelegramCode(code, expected)) return
  if (code !== null) throw new Problem('code_needed', 'The code is not the one that was sent to the chat.')
  const { translate } = await loadLanguage(languageIn(target))
  const message = {
    url: telegramUrl(telegram),
    body: JSON.stringify(codeMessage(chatId, expected, translate)),
    headers: {},
    sentAt: parts.now,
  }
  const sent = await parts.sender.post(message, parts.accountId)
  if (sent.kind === 'failed') throw new Problem('channel_unavailable', `Telegram cannot be reached. ${sent.message}`)
  if (sent.status < 200 || sent.status > 299)
    throw new Problem(
      'channel_unavailable',
      `Telegram did not take a message to this chat (status ${sent.status}). Add the bot to the group or channel, or write to it first, and check the number.`,
    )
  throw new Problem('code_needed', 'A code was sent to the chat. Send the request again with it as channel.code.')
}
