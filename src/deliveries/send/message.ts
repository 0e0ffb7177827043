import type { Delivery, SendResult } from '../../domain/delivery.ts'
import type { EventKind } from '../../domain/incident.ts'
import type { NamedSites } from '../../domain/sites.ts'
import {
  type ChannelKind,
  isMessenger,
  validSecrets,
  type Watch,
  type WatchEvent,
  type WatchSecret,
} from '../../domain/watch.ts'
import { headerNameFault, type WatchHeader } from '../../domain/watch-headers.ts'
import { timeText } from '../../lib/time.ts'
import type { Dispatch } from '../../store/store.ts'
import type { MessageWatch } from '../channels/alert.ts'
import { type ChannelRequest, type ChannelSettings, channelRequest, readReply } from '../channels/channel-request.ts'
import type { ChannelMail } from '../channels/email.ts'
import { failed, MailServerDown, NO_MAIL_SERVER } from './failure.ts'
import type { MailSender } from './mail-sender.ts'

/**
 * One POST, ready to be sent: what it says was decided before. Plain values only, because it is
 * passed on to another thread.
 */
export interface OutgoingRequest {
  readonly url: string
  /** The time of this attempt, in milliseconds. */
  readonly sentAt: number
  /** Additional headers; they replace those that every message has. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /**
   * The message's id, the same at every retry, and every secret that is valid now. Absent if the
   * receiver verifies no signature.
   */
  readonly signing?: { readonly id: string; readonly secrets: readonly string[] }
}

/** A request or a mail, or a sentence that says why there is none. */
type PreparedMessage = OutgoingRequest | { readonly mail: ChannelMail } | { readonly fault: string }

export interface MessageSender {
  /**
   * Makes one attempt. An endpoint's failure is a result of kind `failed`; it rejects only for a
   * message that cannot be signed, or with `SenderLost`. Resolving the host's name counts for the
   * account.
   */
  post(request: OutgoingRequest, accountId?: string): Promise<SendResult>
  /** Makes ready to send, so that the first message does not wait for it. */
  prepare?(): void
}

export interface DeliveryContent {
  readonly kind: WatchEvent
  readonly event: { readonly seq: number; readonly at: number; readonly redacted?: boolean }
  /** JSON text for the body's `incident`. */
  readonly document: string
  /** For a watch of sites: which the incident concerns. */
  readonly sites?: NamedSites | undefined
}

/** The content of one message, and the watches that it is for besides its delivery's own. */
export interface MessageContent extends DeliveryContent {
  readonly further?: readonly DeliveryContent[]
  readonly others?: readonly MessageWatch[]
}

/** Writes a delivery in the form of its watch's channel. */
export function preparedDelivery(
  { delivery, endpoint }: Dispatch,
  content: MessageContent,
  now: number,
  settings: ChannelSettings,
): PreparedMessage {
  const { id, watchId, watchName, kind } = delivery
  const { event, document, sites, others } = content
  if (!isMessenger(endpoint.channel))
    return signedRequest(endpoint, id, deliveryBody(delivery, event, document, sites), now)
  const told = { watchName, test: false }
  const further = content.further?.map(({ kind, document, sites }) => ({ ...told, event: kind, document, sites }))
  const message = { ...told, id, watchId, event: kind, document, sites, others, further }
  return unsigned(channelRequest(endpoint.channel, addressOf(endpoint.secrets), message, settings, now), now)
}

/** A message marked `"test": true`, signed with every valid secret like any other. */
export function preparedTest(
  watch: Watch,
  message: Pick<MessageFields, 'id' | 'seq' | 'sites'> & { readonly event: WatchEvent; readonly document: string },
  now: number,
  settings: ChannelSettings,
): PreparedMessage {
  const { id, event, seq, document, sites } = message
  const { id: watchId, name, channel } = watch
  if (!isMessenger(channel)) {
    const fields = { event, watch: name, watchId, id, sequence: 0, seq, createdAt: now, sites }
    return signedRequest(watch, id, testBody(fields, document), now)
  }
  const written = { id, watchId, event, document, sites, watchName: name, test: true }
  return unsigned(channelRequest(channel, addressOf(watch.secrets), written, settings, now), now)
}

/** The address of a watch that is no webhook. */
export function addressOf(secrets: readonly WatchSecret[]): string {
  return secrets[0]?.secret ?? ''
}

function unsigned(request: ChannelRequest, now: number): PreparedMessage {
  return 'url' in request ? { ...request, sentAt: now } : request
}

const NO_HEADERS = {}

function signedRequest(
  { url, headers, secrets }: Pick<Watch, 'url' | 'headers' | 'secrets'>,
  id: string,
  body: string,
  now: number,
): OutgoingRequest {
  const signing = { id, secrets: validSecrets(secrets, now) }
  return { url, sentAt: now, headers: withOwnHeaders(NO_HEADERS, headers), body, signing }
}

/** Adds the watch's headers after ours, but for names that became ours since. */
export function withOwnHeaders(
  headers: Readonly<Record<string, string>>,
  own: readonly WatchHeader[],
): Readonly<Record<string, string>> {
  if (own.length === 0) return headers
  const allowed = own.filter(({ name }) => headerNameFault(name) === null)
  return { ...headers, ...Object.fromEntries(allowed.map(({ name, value }) => [name, value])) }
}

/** The same at every attempt, but for the incident, which is the newest version. */
export function deliveryBody(
  { id, watchId, watchName, sequence, kind }: Delivery,
  { seq, at: createdAt, redacted }: DeliveryContent['event'],
  document: string,
  sites?: NamedSites,
): string {
  const fields = { event: kind, watch: watchName, watchId, id, sequence, seq, createdAt, redacted, sites }
  return messageBody(fields, document)
}

export function testBody(fields: MessageFields, document: string): string {
  return `${messageBody(fields, document).slice(0, -1)},"test":true}`
}

interface MessageFields {
  readonly event: EventKind
  readonly watch: string
  readonly watchId: string
  /** The message's id, the same at every retry. */
  readonly id: string
  /** Counts the watch's messages: 1, 2, 3 … */
  readonly sequence: number
  /** The event's number in the log. */
  readonly seq: number
  /** The commit time of the event, in milliseconds. */
  readonly createdAt: number
  /** Written only if it is true. */
  readonly redacted?: boolean | undefined
  /** For a watch of sites: which the incident concerns. */
  readonly sites?: NamedSites | undefined
}

/**
 * The body posted to an endpoint. Inserts `document`, the incident's JSON text from the log,
 * unchanged: parsing it for each of many thousand watches would be most of the work.
 */
export function messageBody(fields: MessageFields, document: string): string {
  const { event, watch, watchId, id, sequence, seq, createdAt, redacted, sites } = fields
  const before = JSON.stringify({ event, watch })
  const created_at = commitTimeText(createdAt)
  const after = JSON.stringify({ id, watch_id: watchId, sequence, seq, created_at, redacted, sites })
  return `${before.slice(0, -1)},"incident":${document},${after.slice(1)}`
}

let last = { at: 0, text: timeText(0) }

/** Caches the last time: one event goes to many watches in a row. */
function commitTimeText(at: number): string {
  if (last.at !== at) last = { at, text: timeText(at) }
  return last.text
}

/** `mails` is null if the service has no mail server. */
export interface Senders {
  readonly sender: MessageSender
  readonly mails: MailSender | null
}

/** Makes one attempt, and reads the channel's answer. May reject with `MailServerDown`. */
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
