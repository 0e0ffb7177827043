import type {
  ReadStatisticsQuery,
  Statistics as StatisticsAnswer,
  StatisticsQuery as StatisticsQueryBody,
} from '../generated/types.ts'
import type { Send } from '../http/transport.ts'
import type { CallOptions } from '../options.ts'
import { needsBody } from './incident-query.ts'

/**
 * The incidents to count, and by which groups: all given filters must hold. `polygon` and `route`
 * are sent as a body.
 */
export type StatisticsQuery = ReadStatisticsQuery & Pick<StatisticsQueryBody, 'polygon' | 'route'>

/** Counts of incidents and casualties: `feed.stats`. */
export class Statistics {
  readonly #send: Send

  /** Use `feed.stats` instead. */
  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Counts the incidents that match, by one or two groups.
   *
   * @example
   * const { data } = await feed.stats.get({ group_by: ['state', 'month'], since: '52w' })
   */
  get(query: StatisticsQuery, options?: CallOptions): Promise<StatisticsAnswer> {
    if (needsBody(query)) return this.#send('POST', '/v1/stats/query', { body: query, readsOnly: true }, options)
    return this.#send('GET', '/v1/stats', { query }, options)
  }
}
