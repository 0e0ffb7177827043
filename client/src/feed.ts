import type { ListMonthsAnswer, Me, ReadTrendsQuery, Taxonomy, Trends } from './generated/types.ts'
import { type Method, type RequestParts, type Send, Transport } from './http/transport.ts'
import type { CallOptions, IncidentFeedOptions, WriteOptions } from './options.ts'
import { Areas } from './resources/areas.ts'
import { Deliveries } from './resources/deliveries.ts'
import { Incidents } from './resources/incidents.ts'
import { Keys } from './resources/keys.ts'
import { Places } from './resources/places.ts'
import { Sites } from './resources/sites.ts'
import { Statistics } from './resources/statistics.ts'
import { Watches } from './resources/watches.ts'
import type { FeedChange } from './stream/change.ts'
import { type ChangePage, type ChangePageQuery, type ChangesQuery, changePage, changesAfter } from './stream/changes.ts'
import type { StreamOptions } from './stream/follow.ts'
import { type ListenEvent, type ListenSource, listenToMessages } from './stream/listen.ts'
import { type IncidentStreamOptions, streamChanges } from './stream/stream.ts'
import type { StreamFilter } from './stream/stream-filter.ts'

/**
 * A client of one service with one key. It holds no connection: nothing is to be closed.
 *
 * @example
 * const { INCIDENT_FEED_KEY: key } = process.env
 * const feed = new IncidentFeed({ key, baseUrl: 'https://feed.example.org' })
 * for await (const incident of feed.incidents.list({ state: ['Kaduna'], since: '7d' }))
 *   console.log(incident.summary)
 */
export class IncidentFeed {
  /** The published incidents. */
  readonly incidents: Incidents
  /** Counts of incidents and casualties. */
  readonly stats: Statistics
  /** States, LGAs and the places in them. */
  readonly places: Places
  /** Webhooks: saved filters and their endpoints. */
  readonly watches: Watches
  /** Saved areas, which every filter can name. */
  readonly areas: Areas
  /** Saved lists of sites, which every filter can name. */
  readonly sites: Sites
  /** The log of messages to your endpoints. */
  readonly deliveries: Deliveries
  /** The keys of the account. */
  readonly keys: Keys
  readonly #transport: Transport
  readonly #send: Send

  /** Sends nothing yet; a wrong `baseUrl` throws. */
  constructor(options: IncidentFeedOptions) {
    this.#transport = new Transport(options)
    this.#send = this.#transport.send
    this.incidents = new Incidents(this.#send)
    this.stats = new Statistics(this.#send)
    this.places = new Places(this.#send)
    this.watches = new Watches(this.#send)
    this.areas = new Areas(this.#send)
    this.sites = new Sites(this.#send)
    this.deliveries = new Deliveries(this.#send)
    this.keys = new Keys(this.#send)
  }

  /**
   * Every matching incident as soon as it is confirmed, corrected or retracted, without end. A lost
   * connection is made again from the last position, so that no change is missed and none comes
   * twice. Throws a `PositionLostError` if the service has lost changes that you have.
   *
   * @example
   * const { data, meta } = await feed.incidents.page({ state: 'Kaduna' })
   * for await (const change of feed.stream({ state: 'Kaduna' }, { after: meta.position }))
   *   console.log(change.event)
   */
  stream(filter: StreamFilter = {}, options: IncidentStreamOptions = {}): AsyncGenerator<FeedChange, void, undefined> {
    return streamChanges(this.#transport, filter, options)
  }

  /**
   * The signed messages of one of your watches, or of a filter, without an endpoint of your own:
   * for development. A lost connection is made again from the last position. It ends if the watch
   * is deleted.
   *
   * @example
   * for await (const message of feed.listen({ watch: 'wat_…' })) {
   *   if (message.event !== 'message') continue
   *   const { headers, body } = message
   *   await fetch(local, { method: 'POST', headers, body })
   * }
   */
  listen(source: ListenSource = {}, options: StreamOptions = {}): AsyncGenerator<ListenEvent, void, undefined> {
    return listenToMessages(this.#transport, source, options)
  }

  /**
   * Every change after a position, in order, to keep a copy in step: store `incident` under
   * `incident_id`, or delete that if it is null, together with the change's `position`.
   * Throws a `PositionLostError` if the service has lost changes that you have.
   *
   * @example
   * const changes = feed.changes({ after: copy.position, everyMs: 10_000 })
   * for await (const change of changes) copy.apply(change)
   */
  changes(query: ChangesQuery = {}, options?: CallOptions): AsyncGenerator<FeedChange, void, undefined> {
    return changesAfter(this.#send, query, options)
  }

  /** One page of changes: store it and its `next_after` in one transaction. */
  changePage(query: ChangePageQuery = {}, options?: CallOptions): Promise<ChangePage> {
    return changePage(this.#send, query, options)
  }

  /**
   * Recent weeks or months against what earlier years lead to expect.
   *
   * @example
   * const { data } = await feed.trends({ group_by: 'state', period: 'month' })
   * for (const { state, periods } of data) console.log(state?.label, periods.at(-1)?.text)
   */
  trends(query: ReadTrendsQuery, options?: CallOptions): Promise<Trends> {
    return this.#send('GET', '/v1/trends', { query }, options)
  }

  /** The types, categories and severities, with labels and descriptions. */
  taxonomy(options?: CallOptions): Promise<Taxonomy> {
    return this.#send('GET', '/v1/taxonomy', {}, options)
  }

  /** The months of the archive with the addresses, sizes and hashes of their files. */
  archive(options?: CallOptions): Promise<ListMonthsAnswer> {
    return this.#send('GET', '/v1/archive', {}, options)
  }

  /** The account behind the key, its limits and what is used of them. */
  me(options?: CallOptions): Promise<Me> {
    return this.#send('GET', '/v1/me', {}, options)
  }

  /**
   * Sends any other request of the API, with the same retries and errors; the answer is parsed
   * JSON.
   */
  request<Answer>(method: Method, path: string, parts?: RequestParts, options?: WriteOptions): Promise<Answer> {
    return this.#send(method, path, parts, options)
  }
}
