import type { MessengerKind } from '../../domain/channel.ts'
import { MASK } from '../../domain/watch-headers.ts'
import { checkChannelUrl, isUrlKind, NAMES, type UrlKind } from './address.ts'
import { type Alert, type AlertContext, alertOf, type ChannelMessage } from './alert.ts'
import { emailTargetOf } from './email-target.ts'
import { discordBody } from './kinds/discord.ts'
import { emailOf } from './kinds/email.ts'
import { slackBody } from './kinds/slack.ts'
import { teamsBody } from './kinds/teams.ts'
import { telegramBody } from './kinds/telegram.ts'
import { webPushBody } from './kinds/webpush.ts'
import type { ChannelMail } from './mail.ts'
import { pageAddress } from './page-address.ts'
import { type PushSigner, pushRequest } from './push/push-request.ts'
import { browserAlertOf } from './push/push-target.ts'
import { addressIn, languageIn } from './target.ts'

/** What the operator has set; enough to check addresses. */
export interface ConfiguredChannels extends Omit<AlertContext, 'wordsIn'> {
  /** CHANNEL_HOSTS */
  readonly furtherHosts: readonly string[]
  /** Null unless the operator has set a bot. */
  readonly telegram: TelegramBot | null
}

/** What showing and sending messages needs besides. */
export interface ChannelSettings extends ConfiguredChannels, AlertContext {
  readonly push: PushSigner
}

export interface TelegramBot {
  readonly token: string
  readonly apiUrl: string
}

/** What is ready to be sent, or why there is none, as a sentence for the watch's owner. */
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

/**
 * An alert without an account has its area in place of a name, and the way to the page that ends
 * it.
 */
function notificationOf(target: string, message: ChannelMessage, context: AlertContext) {
  const language = languageIn(target)
  const asked = browserAlertOf(target)
  if (asked === null) {
    const alert = alertOf(message, context, language)
    return { alert, body: JSON.stringify(webPushBody(alert)) }
  }
  const others = message.others?.map((other) => ({
    ...other,
    watchName: browserAlertOf(other.target)?.label ?? other.watchName,
  }))
  const alert = alertOf({ ...message, watchName: asked.label, others }, context, language)
  const title = context.wordsIn(language)('messages.end_alert')
  const manage = { action: 'alerts', title, navigate: pageAddress(context.publicUrl, '/alerts', language) }
  return { alert, body: JSON.stringify(webPushBody(alert, [manage])) }
}

/**
 * Subject and text, without the link that ends the watch: who reads the log may not be who gets the
 * mails.
 */
function mailBody(alert: Alert, target: string, message: ChannelMessage, context: AlertContext): string {
  const { to = '', label = null } = emailTargetOf(target) ?? {}
  const { subject, text } = emailOf(
    alert,
    message,
    { to, key: MASK, label },
    context.publicUrl,
    context.wordsIn(alert.language),
  )
  return `Subject: ${subject}\n\n${text}`
}

export function telegramUrl({ token, apiUrl }: TelegramBot): string {
  return `${apiUrl}/bot${token}/sendMessage`
}
