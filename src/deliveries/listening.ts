import { createHmac } from 'node:crypto'
import { derivedIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import { messageContent } from '../domain/message-content.ts'
import { validSecrets, type Watch, type WatchEvent } from '../domain/watch.ts'
import { indexedFieldsOf, type LiveFilter } from '../filter/filter.ts'
import type { ListeningHeads, ListeningPosition, LogEvent, Store } from '../store/store.ts'
import { deliveriesOfEvents, matchesEvent } from './earlier-versions.ts'
import { contentOf, loggedMessages } from './logged-message.ts'
import { messageBody } from './send/message.ts'
import { newSecret, signatureHeaders } from './send/signature.ts'
import { SiteNames } from './send/site-names.ts'
import { FIXED_HEADERS } from './send/webhook-sender.ts'

export type Listener =
  | { readonly kind: 'watch'; readonly accountId: string; readonly watchId: string }
  | {
      readonly kind: 'filter'
      readonly filter: LiveFilter
      readonly events: readonly WatchEvent[]
      readonly key: SessionKey
    }

interface ListenedBatch {
  readonly messages: readonly { readonly position: ListeningPosition; readonly data: string }[]
  /** Everything up to here is in `messages`, or does not concern the listener. */
  readonly position: ListeningPosition
  /** True if there is nothing to listen to any more: the watch was deleted. */
  readonly ended: boolean
}

const EVENT_BATCH = 100
const RESENT_BATCH = 50
/** Messages of a filter belong to no watch. */
const NO_WATCH = { watchId: `wat_${'0'.repeat(26)}`, watch: 'listening' } as const

type Sources = Pick<Store, 'siteLists' | 'events' | 'incidents' | 'deliveries' | 'listening' | 'watches'>

/** Reads messages as an endpoint would get them, signed for now. */
export class ListenedMessages {
  readonly #store: Sources
  readonly #clock: () => number
  readonly #siteNames: SiteNames

  constructor(store: Sources, clock: () => number) {
    this.#store = store
    this.#clock = clock
    this.#siteNames = new SiteNames(store.siteLists)
  }

  heads(): Promise<ListeningHeads> {
    return this.#store.listening.heads()
  }

  /** The last position that the listener can be told of now. */
  end(listener: Listener, { logged, written, resent }: ListeningHeads): ListeningPosition {
    return listener.kind === 'watch' ? { seq: written, resent } : { seq: logged, resent }
  }

  async read(listener: Listener, from: ListeningPosition, heads: ListeningHeads): Promise<ListenedBatch> {
    const end = this.end(listener, heads)
    const { events, seq } = await this.#eventsUntil(from.seq, end.seq)
    if (listener.kind === 'watch') return this.#ofWatch(listener, events, from, { seq, resent: end.resent })
    return this.#ofFilter(listener, events, { seq, resent: end.resent })
  }

  async #eventsUntil(after: number, until: number): Promise<{ events: LogEvent[]; seq: number }> {
    if (until <= after) return { events: [], seq: after }
    const read = await this.#store.events.after(after, EVENT_BATCH)
    const events = read.filter(({ seq }) => seq <= until)
    return { events, seq: read.length < EVENT_BATCH ? until : (events.at(-1)?.seq ?? until) }
  }

  async #ofWatch(
    { accountId, watchId }: Extract<Listener, { kind: 'watch' }>,
    events: readonly LogEvent[],
    from: ListeningPosition,
    to: ListeningPosition,
  ): Promise<ListenedBatch> {
    const { watches, deliveries, listening } = this.#store
    const watch = await watches.find(accountId, watchId)
    if (watch === null) return { messages: [], position: from, ended: true }
    const created = await deliveriesOfEvents(deliveries, watch, events, EVENT_BATCH, from.seq)
    const found =
      to.resent > from.resent ? await listening.resentAfter(accountId, watchId, from.resent, RESENT_BATCH) : []
    const messages: { position: ListeningPosition; data: string }[] = []
    const add = async (id: string, position: ListeningPosition, isResent: boolean) => {
      const data = await this.#messageOf(watch, id, isResent)
      if (data !== null) messages.push({ position, data })
    }
    for (const { id, eventSeq } of created.reverse()) await add(id, { seq: eventSeq, resent: from.resent }, false)
    for (const { delivery, resent } of found) await add(delivery.id, { seq: to.seq, resent }, true)
    const last = found.length < RESENT_BATCH ? Math.max(to.resent, from.resent) : found.at(-1)!.resent
    return { messages, position: { seq: to.seq, resent: last }, ended: false }
  }

  /** Null if the delivery would be cancelled. */
  async #messageOf(watch: Watch, deliveryId: string, resent: boolean): Promise<string | null> {
    const details = await this.#store.deliveries.find(watch.accountId, deliveryId)
    if (details === null) return null
    const { delivery } = details
    const { bodies, next } = await loggedMessages(details, this.#store, this.#siteNames.namerOf(watch))
    const body = delivery.test ? (bodies[0]?.body ?? null) : (next?.body ?? null)
    if (body === null) return null
    const { id, kind, eventSeq, test } = delivery
    const fields = { id, kind, seq: eventSeq, test, resent: resent && !test }
    return this.#signed(fields, body, (now) => validSecrets(watch.secrets, now))
  }

  async #ofFilter(
    { filter, events: kinds, key }: Extract<Listener, { kind: 'filter' }>,
    events: readonly LogEvent[],
    position: ListeningPosition,
  ): Promise<ListenedBatch> {
    const messages: { position: ListeningPosition; data: string }[] = []
    for (const event of events) {
      const kind = kinds.find((each) => each === event.kind)
      if (kind === undefined) continue
      const fields = indexedFieldsOf(JSON.parse(event.document) as Incident)
      if (!(await matchesEvent(filter, event, fields, this.#store))) continue
      const [current] = await this.#store.incidents.current([event.incidentId])
      if (current === undefined || messageContent(kind, current.status) === null) continue
      const { seq, at: createdAt, redacted } = event
      const id = key.messageId(event)
      const written = { event: kind, ...NO_WATCH, id, sequence: 0, seq, createdAt, redacted }
      const body = messageBody(written, contentOf(kind, current.document))
      const data = this.#signed({ id, kind, seq, test: false, resent: false }, body, () => [key.secret])
      messages.push({ position: { seq, resent: position.resent }, data })
    }
    return { messages, position, ended: false }
  }

  /** Without the headers of the watch's owner: their values are for the endpoint only. */
  #signed(
    fields: { id: string; kind: WatchEvent; seq: number; test: boolean; resent: boolean },
    body: string,
    secrets: (now: number) => readonly string[],
  ): string {
    const now = this.#clock()
    const signature = signatureHeaders({ id: fields.id, sentAt: now, body }, secrets(now))
    const headers = { ...FIXED_HEADERS, ...signature }
    return JSON.stringify({ event: 'message', ...fields, headers, body })
  }
}

/**
 * Signs and numbers the messages of one client that listens to a filter. Derived from its
 * credential, so it is the same after a reconnect and on every node, and nothing is stored.
 */
export class SessionKey {
  readonly secret: string
  readonly #credential: string

  constructor(credential: string) {
    this.#credential = credential
    this.secret = newSecret(() => this.#digest('secret'))
  }

  /** A repeat of the same event has the same id. */
  messageId({ seq, link }: LogEvent): string {
    return derivedIdentifier('delivery', this.#digest(`message ${seq} ${link}`))
  }

  #digest(purpose: string): Buffer {
    return createHmac('sha256', this.#credential).update(`incident-feed listening ${purpose}`).digest()
  }
}
