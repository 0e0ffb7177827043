import type { Transport } from '../http/transport.ts'
import { followEvents, type StreamOptions } from './follow.ts'
import type { StreamFilter } from './stream-filter.ts'

/** Selects the messages: those of one of your watches, or of a filter. */
export type ListenSource = { readonly watch: string } | (StreamFilter & { readonly events?: readonly string[] })

/** The first event of every connection. */
export interface ListeningEvent {
  /** Tells the events apart. */
  readonly event: 'listening'
  /** The watch; null if you listen to a filter. */
  readonly watch: {
    readonly id: string
    readonly name: string
    readonly status: string
    readonly events: readonly string[]
  } | null
  /** The events of the messages. */
  readonly events: readonly string[]
  /** Signs the messages of a filter; null for a watch, which has its own. */
  readonly secret: string | null
}

/**
 * A signed message, as an endpoint would get it: post `body` with `headers`, and do not change a
 * byte.
 */
export interface ListenedMessage {
  /** Tells the events apart. */
  readonly event: 'message'
  /** The id of the message, the same if it is sent again. */
  readonly id: string
  /** Such as `incident.created`. */
  readonly kind: string
  /** The number of its event in the log. */
  readonly seq: number
  /** Whether it is a test. */
  readonly test: boolean
  /** Whether it was asked for again. */
  readonly resent: boolean
  /** All headers, the signature included. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text. */
  readonly body: string
}

/** The position was too far back: some messages were missed. */
export interface ListeningReset {
  /** Tells the events apart. */
  readonly event: 'reset'
  /** Says so in words. */
  readonly detail: string
}

/** Yielded by `feed.listen`. */
export type ListenEvent = ListeningEvent | ListenedMessage | ListeningReset

const YIELDED = ['listening', 'message', 'reset']

/** Every message, over any number of connections; ends if the watch is deleted. */
export async function* listenToMessages(
  transport: Transport,
  source: ListenSource,
  options: StreamOptions,
): AsyncGenerator<ListenEvent, void, undefined> {
  for await (const { event, data } of followEvents(transport, '/v1/listen', source, null, options)) {
    if (event === 'ended') return
    if (YIELDED.includes(event)) yield JSON.parse(data) as ListenEvent
  }
}
