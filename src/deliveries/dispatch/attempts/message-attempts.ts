import type { SendResult } from '../../../domain/delivery.ts'
import { mergedSites, type NamedSites } from '../../../domain/sites.ts'
import type { Dispatch } from '../../../store/store.ts'
import type { ChannelSettings } from '../../channels/channel-request.ts'
import { MailServerDown, resultOfLoss, SenderLost } from '../../send/failure.ts'
import {
  type DeliveryContent,
  type MessageContent,
  postMessage,
  preparedDelivery,
  type Senders,
} from '../../send/message.ts'
import type { SiteNames } from '../../send/site-names.ts'
import type { MessageSource, OutgoingMessage } from '../messages/message-source.ts'
import type { QueuedDelivery } from '../queues/watch-queue.ts'
import type { AttemptOutcomes } from './attempt-outcomes.ts'

export interface MessageAttemptsOptions {
  readonly senders: Senders
  readonly channels: ChannelSettings
  readonly messages: MessageSource
  readonly siteNames: SiteNames
  readonly outcomes: AttemptOutcomes
  readonly clock: () => number
}

/** A delivery with what it says at this moment. */
export interface MessagePart extends OutgoingMessage {
  readonly queued: QueuedDelivery
}

/** What an attempt leaves to be done. */
export interface AttemptEnd {
  /** Null if nothing was sent, or nothing is known of an answer. */
  readonly sent: SendResult | null
  /** Deliveries that were lost with the sender: they are queued again. */
  readonly lost: readonly QueuedDelivery[]
}

export const NOTHING_SENT: AttemptEnd = { sent: null, lost: [] }

/** Reads, writes and sends one message, and records its result. */
export class MessageAttempts {
  readonly #options: MessageAttemptsOptions

  constructor(options: MessageAttemptsOptions) {
    this.#options = options
  }

  async read(queued: QueuedDelivery): Promise<MessagePart> {
    const { messages } = this.#options
    const { delivery } = queued.dispatch
    const message = messages.freshMessage(delivery) ?? (await messages.readMessage(delivery))
    return { ...message, queued }
  }

  /**
   * Of a part that has a document. It names the sites of `others` too that are of the same
   * incident.
   */
  async contentOf(part: MessagePart, others: readonly MessagePart[] = []): Promise<DeliveryContent> {
    const { queued, event, document } = part
    const { kind } = queued.dispatch.delivery
    // Almost all: a webhook without sites.
    if (others.length === 0 && queued.dispatch.endpoint.siteListId === null)
      return { kind, event, document: document!, sites: undefined }
    const parts = [part, ...others.filter((other) => other.event.incidentId === event.incidentId)]
    const lists = new Map(parts.map((each) => [each.queued.dispatch.endpoint.siteListId, each]))
    const found: (NamedSites | undefined)[] = []
    for (const [listId, { queued, incident }] of lists)
      if (listId !== null)
        found.push(await this.#options.siteNames.of(queued.dispatch.accountId, listId, kind, incident))
    return { kind, event, document: document!, sites: mergedSites(found) }
  }

  /** Sends one message that tells of all parts; each is recorded with its result. */
  async send(dispatch: Dispatch, content: MessageContent, parts: readonly MessagePart[]): Promise<AttemptEnd> {
    const { senders, channels, outcomes, clock } = this.#options
    const { endpoint, accountId } = dispatch
    const attempted = parts.map(({ queued, event, contentSeq }) => ({ dispatch: queued.dispatch, event, contentSeq }))
    const now = clock()
    const message = preparedDelivery(dispatch, content, now, channels)
    try {
      const sent = await postMessage(senders, endpoint.channel, message, accountId, now)
      outcomes.recordResult(attempted, sent)
      return { sent, lost: [] }
    } catch (error) {
      if (error instanceof MailServerDown)
        outcomes.waitForMailServer(parts.map(({ queued }) => queued.dispatch.delivery))
      else if (error instanceof SenderLost && !parts.some(({ queued }) => queued.wasLost))
        return { sent: null, lost: parts.map(({ queued }) => queued) }
      else outcomes.recordResult(attempted, resultOfLoss(error, now))
      return NOTHING_SENT
    }
  }
}
