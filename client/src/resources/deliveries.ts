import type {
  Delivery,
  DeliveryWithAttempts,
  ListAllDeliveriesAnswer,
  ListAllDeliveriesQuery,
  ListDeliveriesAnswer,
  ListDeliveriesQuery,
} from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions, WriteOptions } from '../options.ts'
import { entriesOf } from '../paging.ts'

/** The log of messages to your endpoints: `feed.deliveries`. */
export class Deliveries {
  readonly #send: Send

  /** Use `feed.deliveries` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /** Every delivery of a watch, in the order of events, newest first, over all pages. */
  list(
    watchId: string,
    query: ListDeliveriesQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Delivery, void, undefined> {
    return entriesOf((cursor) => this.page(watchId, { ...query, cursor }, options), query.cursor)
  }

  /** One page of the deliveries of a watch. */
  page(watchId: string, query: ListDeliveriesQuery = {}, options?: CallOptions): Promise<ListDeliveriesAnswer> {
    return this.#send('GET', `/v1/watches/${encodeURIComponent(watchId)}/deliveries`, { query }, options)
  }

  /**
   * Every delivery of all your watches, or of those that `watch` names, newest first, over all
   * pages.
   */
  listAll(query: ListAllDeliveriesQuery = {}, options?: CallOptions): AsyncGenerator<Delivery, void, undefined> {
    return entriesOf((cursor) => this.pageAll({ ...query, cursor }, options), query.cursor)
  }

  /** One page of the deliveries of all your watches. */
  pageAll(query: ListAllDeliveriesQuery = {}, options?: CallOptions): Promise<ListAllDeliveriesAnswer> {
    return this.#send('GET', '/v1/deliveries', { query }, options)
  }

  /** One delivery with every attempt. */
  get(id: string, options?: CallOptions): Promise<DeliveryWithAttempts> {
    return this.#send('GET', `/v1/deliveries/${encodeURIComponent(id)}`, {}, options)
  }

  /** Sends a delivery again at once, whatever its status. */
  redeliver(id: string, options?: WriteOptions): Promise<Delivery> {
    return this.#send('POST', `/v1/deliveries/${encodeURIComponent(id)}/redeliver`, {}, options)
  }
}
