import type { Incident, IncidentList, ListCorrectionsAnswer } from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions } from '../options.ts'
import { entriesOf } from '../paging.ts'
import type { ChosenFields, IncidentListWith, IncidentQueryWith, IncidentWith } from './fields.ts'
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
   * Every incident that matches, over all pages, newest first unless `order` says otherwise. Each
   * appears once, even while others arrive. `limit` is the size of the pages, not of the list:
   * `break` when you have enough. With `fields`, the incidents have these members and `id` only,
   * and so have their types.
   *
   * @example
   * for await (const incident of feed.incidents.list({ state: ['Kaduna'], since: '7d' }))
   *   console.log(incident.summary)
   */
  list(query?: IncidentQuery, options?: CallOptions): AsyncGenerator<Incident, void, undefined>
  /** Every incident that matches, with the chosen members and `id`. */
  list<const Fields extends ChosenFields>(
    query: IncidentQueryWith<Fields>,
    options?: CallOptions,
  ): AsyncGenerator<IncidentWith<Fields>, void, undefined>
  list(query: IncidentQuery = {}, options?: CallOptions): AsyncGenerator<Incident, void, undefined> {
    const whole = { limit: WHOLE_PAGE, ...query }
    return entriesOf((cursor) => this.page({ ...whole, cursor }, options), query.cursor)
  }

  /**
   * One page, with the position of the log that it was read at: `meta.position` is where
   * `feed.stream` goes on.
   */
  page(query?: IncidentQuery, options?: CallOptions): Promise<IncidentList>
  /** One page, of incidents with the chosen members and `id`. */
  page<const Fields extends ChosenFields>(
    query: IncidentQueryWith<Fields>,
    options?: CallOptions,
  ): Promise<IncidentListWith<Fields>>
  page(query: IncidentQuery = {}, options?: CallOptions): Promise<IncidentList> {
    if (needsBody(query)) return this.#send('POST', '/v1/incidents/query', { body: query, readsOnly: true }, options)
    return this.#send('GET', '/v1/incidents', { query }, options)
  }

  /** One incident. A retracted one throws a `ProblemError` with the status 410. */
  get(id: string, options?: CallOptions & { readonly fields?: undefined }): Promise<Incident>
  /** One incident, with the chosen members and `id`. */
  get<const Fields extends ChosenFields>(
    id: string,
    options: CallOptions & { readonly fields: Fields },
  ): Promise<IncidentWith<Fields>>
  get(id: string, { fields, ...options }: CallOptions & { readonly fields?: ChosenFields | undefined } = {}) {
    return this.#send<Incident>('GET', `/v1/incidents/${encodeURIComponent(id)}`, { query: { fields } }, options)
  }

  /** The publication of an incident and its corrections, oldest first. */
  async history(id: string, options?: CallOptions): Promise<ListCorrectionsAnswer['data']> {
    const path = `/v1/incidents/${encodeURIComponent(id)}/history`
    return (await this.#send<ListCorrectionsAnswer>('GET', path, {}, options)).data
  }
}
