import type {
  CreateSitesBody,
  ListSitesAnswer,
  ListSitesQuery,
  ReadSitesAnswer,
  ReadSitesQuery,
  ReplaceSitesBody,
  Site,
  SiteList,
} from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions, WriteOptions } from '../options.ts'
import { entriesOf } from '../paging.ts'

/** Saved lists of sites with radii, which every filter can name as `sites`: `feed.sites`. */
export class Sites {
  readonly #send: Send

  /** Use `feed.sites` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Saves up to 10,000 sites under a name.
   *
   * @example
   * const sites = [{ name: 'Depot Kaduna', latitude: 10.52, longitude: 7.44, radius_km: 25 }]
   * const { id } = await feed.sites.create({ name: 'Depots', sites })
   * for await (const incident of feed.incidents.list({ sites: id, since: '7d' }))
   *   console.log(incident.summary)
   */
  create(list: CreateSitesBody, options?: WriteOptions): Promise<SiteList> {
    return this.#send('POST', '/v1/sites', { body: list }, options)
  }

  /** Every list of the account, newest first, over all pages; without their sites. */
  list(query: ListSitesQuery = {}, options?: CallOptions): AsyncGenerator<SiteList, void, undefined> {
    return entriesOf((cursor) => this.page({ ...query, cursor }, options), query.cursor)
  }

  /** One page of lists. */
  page(query: ListSitesQuery = {}, options?: CallOptions): Promise<ListSitesAnswer> {
    return this.#send('GET', '/v1/sites', { query }, options)
  }

  /** One list with a page of its sites. */
  get(id: string, query: ReadSitesQuery = {}, options?: CallOptions): Promise<ReadSitesAnswer> {
    return this.#send('GET', pathOf(id), { query }, options)
  }

  /** Every site of one list, in its order, over all pages. */
  sitesOf(id: string, query: ReadSitesQuery = {}, options?: CallOptions): AsyncGenerator<Site, void, undefined> {
    return entriesOf((cursor) => this.get(id, { ...query, cursor }, options), query.cursor)
  }

  /** Replaces all sites of a list: watches that use it match by the new ones from then on. */
  replace(id: string, list: ReplaceSitesBody, options?: CallOptions): Promise<SiteList> {
    return this.#send('PUT', pathOf(id), { body: list }, options)
  }

  /** Deletes a list. One that watches use throws a `ProblemError` with the code `sites_in_use`. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#send('DELETE', pathOf(id), {}, options)
  }
}

function pathOf(id: string): string {
  return `/v1/sites/${encodeURIComponent(id)}`
}
