import type { Area, ChangeAreaBody, CreateAreaBody, ListAreasAnswer, ListAreasQuery } from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions, WriteOptions } from '../options.ts'
import { entriesOf } from '../paging.ts'

/** Saved polygons, routes and circles, which every filter can name as `area`: `feed.areas`. */
export class Areas {
  readonly #send: Send

  /** Use `feed.areas` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Saves one `polygon`, `route` or `circle` under a name.
   *
   * @example
   * const circle = { lat: 10.52, lng: 7.44, radius_km: 25 }
   * const { id } = await feed.areas.create({ name: 'Depot', circle })
   * for await (const incident of feed.incidents.list({ area: id, since: '7d' }))
   *   console.log(incident.summary)
   */
  create(area: CreateAreaBody, options?: WriteOptions): Promise<Area> {
    return this.#send('POST', '/v1/areas', { body: area }, options)
  }

  /** Every area of the account, newest first, over all pages. */
  list(query: ListAreasQuery = {}, options?: CallOptions): AsyncGenerator<Area, void, undefined> {
    return entriesOf((cursor) => this.page({ ...query, cursor }, options), query.cursor)
  }

  /** One page of areas. */
  page(query: ListAreasQuery = {}, options?: CallOptions): Promise<ListAreasAnswer> {
    return this.#send('GET', '/v1/areas', { query }, options)
  }

  /** One area. */
  get(id: string, options?: CallOptions): Promise<Area> {
    return this.#send('GET', pathOf(id), {}, options)
  }

  /** Renames or redraws an area: watches that use it match by its new shape from then on. */
  update(id: string, changes: ChangeAreaBody, options?: CallOptions): Promise<Area> {
    return this.#send('PATCH', pathOf(id), { body: changes }, options)
  }

  /** Deletes an area. One that watches use throws a `ProblemError` with the code `area_in_use`. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#send('DELETE', pathOf(id), {}, options)
  }
}

function pathOf(id: string): string {
  return `/v1/areas/${encodeURIComponent(id)}`
}
