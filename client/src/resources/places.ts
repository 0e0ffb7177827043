import type {
  Lga,
  ListLgasAnswer,
  ListLgasQuery,
  ListStatesAnswer,
  LocatedPoint,
  LocatePointQuery,
  SearchPlacesAnswer,
  SearchPlacesQuery,
  State,
} from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions } from '../options.ts'

/** States, LGAs and the places in them: `feed.places`. */
export class Places {
  readonly #send: Send

  /** Use `feed.places` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /** The 36 states and the Federal Capital Territory. */
  async states(options?: CallOptions): Promise<readonly State[]> {
    return (await this.#send<ListStatesAnswer>('GET', '/v1/places/states', {}, options)).data
  }

  /** All 774 local government areas, or those of some states. */
  async lgas(query: ListLgasQuery = {}, options?: CallOptions): Promise<readonly Lga[]> {
    return (await this.#send<ListLgasAnswer>('GET', '/v1/places/lgas', { query }, options)).data
  }

  /** The state and LGA of a point. */
  locate(query: LocatePointQuery, options?: CallOptions): Promise<LocatedPoint> {
    return this.#send('GET', '/v1/places/locate', { query }, options)
  }

  /** The places that a text may mean, best first. */
  search(query: SearchPlacesQuery, options?: CallOptions): Promise<SearchPlacesAnswer> {
    return this.#send('GET', '/v1/places/search', { query }, options)
  }
}
