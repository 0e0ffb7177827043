import type { Incident, IncidentList, ListCorrectionsAnswer } from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions } from '../options.ts'
import { entriesOf } from '../paging.ts'
import { type IncidentQuery, needsBody } from './incident-query.ts'

/** The most that the service gives in one page: a list of all wants few requests. */
const WHOLE_PAGE = 1000

/** The published incidents: `feed.incidents`. */
export class Incidents {
  readonly #send: Send

  /** Use `feed.incidents` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Every incident that matches, over all pages, newest first unless `order` says otherwise. Each appears once, even
   * while others arrive. `limit` is the size of the pages, not of the list: `break` when you have enough.
   *
   * @example
   * for await (const incident of feed.incidents.list({ state: ['Kaduna'], since: '7d' })) console.log(incident.summary)
   */
  list(query: IncidentQuery = {}, options?: CallOptions): AsyncGenerator<Incident, void, undefined> {
    const whole = { limit: WHOLE_PAGE, ...query }
    return entriesOf((cursor) => this.page({ ...whole, cursor }, options), query.cursor)
  }

  /** One page, with the position of the log that it was read at: `meta.seq` is where `feed.stream` goes on. */
  page(query: IncidentQuery = {}, options?: CallOptions): Promise<IncidentList> {
    if (needsBody(query)) return this.#send('POST', '/v1/incidents/query', { body: query, readsOnly: true }, options)
    return this.#send('GET', '/v1/incidents', { query }, options)
  }

  /** One incident. A retracted one throws a `ProblemError` with the status 410. */
  get(id: string, options?: CallOptions): Promise<Incident> {
    return this.#send('GET', `/v1/incidents/${encodeURIComponent(id)}`, {}, options)
  }

  /** The publication of an incident and its corrections, oldest first. */
  async history(id: string, options?: CallOptions): Promise<ListCorrectionsAnswer['data']> {
    const path = `/v1/incidents/${encodeURIComponent(id)}/history`
    return (await this.#send<ListCorrectionsAnswer>('GET', path, {}, options)).data
  }
}
