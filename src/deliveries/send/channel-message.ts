import { type ChannelKind, isMessenger } from '../../domain/channel.ts'
import type { SendResult } from '../../domain/delivery.ts'
import type { Watch, WatchEvent, WatchSecret } from '../../domain/watch.ts'
import type { Dispatch } from '../../store/store.ts'
import type { MessageWatch } from '../channels/alert.ts'
import { type ChannelRequest, type ChannelSettings, channelRequest } from '../channels/channel-request.ts'
import type { ChannelMail } from '../channels/mail.ts'
import { readReply } from '../channels/reply.ts'
import { failed } from './failure.ts'
import type { MailSender } from './mail/mail-sender.ts'
import { MailServerDown, NO_MAIL_SERVER } from './mail/mail-server-down.ts'
import type { MessageSender, OutgoingRequest } from './outgoing-request.ts'
import { deliveryRequest, type SentContent, type TestMessage, testRequest } from './webhook-request.ts'

/** A request, or a sentence that says why there is none. */
export type PreparedMessage = OutgoingRequest | { readonly mail: ChannelMail } | { readonly fault: string }

/** What sends messages; `mails` is null if the service has no mail server. */
export interface Senders {
  readonly sender: MessageSender
  readonly mails: MailSender | null
}

/** Of another delivery that a message for people tells of too. */
export interface FurtherContent extends SentContent {
  readonly kind: WatchEvent
}

/** What one message says, and for which watches besides its delivery's own. */
export interface MessageContent extends FurtherContent {
  readonly further?: readonly FurtherContent[]
  readonly others?: readonly MessageWatch[]
}

/** Writes a delivery in the form of its watch's channel. */
export function preparedDelivery(
  dispatch: Dispatch,
  content: MessageContent,
  now: number,
  settings: ChannelSettings,
): PreparedMessage {
  const { delivery, endpoint } = dispatch
  const { channel } = endpoint
  if (!isMessenger(channel)) return deliveryRequest(dispatch, content, now)
  const message = {
    id: delivery.id,
    watchId: delivery.watchId,
    event: delivery.kind,
    watchName: delivery.watchName,
    test: false,
    document: content.document,
    sites: content.sites,
    others: content.others,
    further: content.further?.map(({ kind, document, sites }) => ({
      event: kind,
      watchName: delivery.watchName,
      test: false,
      document,
      sites,
    })),
  }
  return unsigned(channelRequest(channel, addressOf(endpoint.secrets), message, settings, now), now)
}

export function preparedTest(
  watch: Watch,
  message: TestMessage,
  now: number,
  settings: ChannelSettings,
): PreparedMessage {
  if (!isMessenger(watch.channel)) return testRequest(watch, message, now)
  const { id, event, document, sites } = message
  const written = { id, watchId: watch.id, event, document, sites, watchName: watch.name, test: true }
  return unsigned(channelRequest(watch.channel, addressOf(watch.secrets), written, settings, now), now)
}

/** Of a watch that is no webhook. */
export function addressOf(secrets: readonly WatchSecret[]): string {
  return secrets[0]?.secret ?? ''
}

function unsigned(request: ChannelRequest, now: number): PreparedMessage {
  return 'url' in request ? { ...request, sentAt: now } : request
}

/**
 * Makes one attempt, and reads the answer as the channel means it. Rejects with `MailServerDown`
 * too.
 */
export async function postMessage(
  { sender, mails }: Senders,
  channel: ChannelKind,
  message: PreparedMessage,
  accountId: string,
  now: number,
): Promise<SendResult> {
  if ('fault' in message) return { ...failed('failed', message.fault), startedAt: now, durationMs: 0 }
  if ('mail' in message) {
    if (mails === null) throw new MailServerDown(NO_MAIL_SERVER)
    return mails.sendMail(message.mail, now)
  }
  return readReply(channel, await sender.post(message, accountId))
}
