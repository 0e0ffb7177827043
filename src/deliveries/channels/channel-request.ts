import type { SendResult } from '../../domain/delivery.ts'
import { type ChannelKind, isMessenger, type MessengerKind } from '../../domain/watch.ts'
import { MASK } from '../../domain/watch-headers.ts'
import { type Alert, type AlertContext, alertOf, type ChannelMessage } from './alert.ts'
import { browserAlertOf } from './browser-subscription.ts'
import { discordBody, slackBody, teamsBody, telegramBody } from './chat.ts'
import { type ChannelMail, emailOf } from './email.ts'
import {
  addressIn,
  checkChannelUrl,
  emailTargetOf,
  isUrlKind,
  languageIn,
  NAMES,
  pageAddress,
  type UrlKind,
} from './target.ts'
import { type PushSigner, pushRequest, webPushBody } from './web-push.ts'

/** The operator's settings; enough to check addresses. */
export interface ConfiguredChannels extends Omit<AlertContext, 'wordsIn'> {
  /** CHANNEL_HOSTS */
  readonly furtherHosts: readonly string[]
  /** Null unless the operator has set a bot. */
  readonly telegram: { readonly token: string; readonly apiUrl: string } | null
}

/** Enough to show and send messages too. */
export interface ChannelSettings extends ConfiguredChannels, AlertContext {
  readonly push: PushSigner
}

/** A request or a mail, or a sentence for the watch's owner that says why there is none. */
export type ChannelRequest =
  | { readonly url: string; readonly body: string | Uint8Array; readonly headers: Readonly<Record<string, string>> }
  | { readonly mail: ChannelMail }
  | { readonly fault: string }

const BODIES = { slack: slackBody, discord: discordBody, teams: teamsBody } as const satisfies Record<UrlKind, unknown>
const NO_HEADERS = {}

/** Checks the address again: the settings may have changed since the watch was made. */
export function channelRequest(
  kind: MessengerKind,
  target: string,
  message: ChannelMessage,
  settings: ChannelSettings,
  now: number,
): ChannelRequest {
  if (kind === 'email') {
    const address = emailTargetOf(target)
    if (address === null) return { fault: 'The address was lost with the key of this service. Make the watch again.' }
    const alert = alertOf(message, settings, languageIn(target))
    return { mail: emailOf(alert, message, address, settings.publicUrl, settings.wordsIn(alert.language)) }
  }
  if (kind === 'webpush') {
    const { alert, body } = notificationOf(target, message, settings)
    return pushRequest(target, alert, body, settings.push, now)
  }
  const body = channelBody(kind, target, message, settings)
  if (!isUrlKind(kind)) {
    const { telegram } = settings
    return telegram === null ? { fault: NO_BOT } : { url: telegramUrl(telegram), body, headers: NO_HEADERS }
  }
  const url = addressIn(target)
  const { fault } = checkChannelUrl(kind, url, settings.furtherHosts)
  return fault === null
    ? { url, body, headers: NO_HEADERS }
    : { fault: `The address ${fault}. Set it again: it is of ${NAMES[kind]}.` }
}

export const NO_BOT = 'The operator of this service has set no Telegram bot.'

/** The body as it is sent (to browsers, encrypted), and as the log of deliveries shows it. */
export function channelBody(
  kind: MessengerKind,
  target: string,
  message: ChannelMessage,
  context: AlertContext,
): string {
  if (kind === 'webpush') return notificationOf(target, message, context).body
  const alert = alertOf(message, context, languageIn(target))
  if (kind === 'email') return mailBody(alert, target, message, context)
  return JSON.stringify(isUrlKind(kind) ? BODIES[kind](alert) : telegramBody(alert, addressIn(target)))
}

/** An alert without an account has its area as its name, and a link to end it. */
function notificationOf(target: string, message: ChannelMessage, context: AlertContext) {
  const language = languageIn(target)
  const asked = browserAlertOf(target)
  if (asked === null) {
    const alert = alertOf(message, context, language)
    return { alert, body: JSON.stringify(webPushBody(alert)) }
  }
  const others = message.others?.map((other) => {
    return { ...other, watchName: browserAlertOf(other.target)?.label ?? other.watchName }
  })
  const alert = alertOf({ ...message, watchName: asked.label, others }, context, language)
  const title = context.wordsIn(language)('messages.end_alert')
  const manage = { action: 'alerts', title, navigate: pageAddress(context.publicUrl, '/alerts', language) }
  return { alert, body: JSON.stringify(webPushBody(alert, [manage])) }
}

/** Subject and text, without the link that ends the watch: others may read the log. */
function mailBody(alert: Alert, target: string, message: ChannelMessage, context: AlertContext): string {
  const { to = '', label = null } = emailTargetOf(target) ?? {}
  const words = context.wordsIn(alert.language)
  const { subject, text } = emailOf(alert, message, { to, key: MASK, label }, context.publicUrl, words)
  return `Subject: ${subject}\n\n${text}`
}

export function telegramUrl({ token, apiUrl }: NonNullable<ConfiguredChannels['telegram']>): string {
  return `${apiUrl}/bot${token}/sendMessage`
}

/**
 * Reads what a channel answered. The wait that it asks for may be in the body. What it answers to a
 * message that it took is not kept: Telegram repeats the message, which a later redaction would not
 * reach there.
 */
export function readReply(kind: ChannelKind, sent: SendResult): SendResult {
  if (!isMessenger(kind) || sent.kind === 'failed') return sent
  if (sent.status >= 200 && sent.status < 300) return { ...sent, body: '' }
  // The browser or the push service has ended the subscription: RFC 8030 answers 404, others 410.
  if (kind === 'webpush' && (sent.status === 404 || sent.status === 410))
    return { ...sent, gone: true, message: `The browser takes no notifications any more (${sent.status}).` }
  return { ...sent, retryAfter: sent.retryAfter ?? waitIn(sent.body) }
}

/**
 * Discord: `{"retry_after": 0.5}`; Telegram: `{"parameters": {"retry_after": 5}}`; both in seconds.
 */
function waitIn(body: string): string | null {
  const seconds = /"retry_after"\s*:\s*(\d{1,7}(?:\.\d{1,6})?)/.exec(body)?.[1]
  return seconds === undefined ? null : String(Math.ceil(Number(seconds)))
}
