import { Counter, type Metric, type Registry } from 'prom-client'
import type { CountedResponse } from '../responses/counted-response.ts'

/** In seconds; a duration counts in the first bucket that is not below it. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const DURATIONS = 'incident_feed_request_duration_seconds'
/** Statuses have three digits. */
const STATUSES = 600

class Durations {
  /** The last is for those above all buckets. */
  readonly counts = new Float64Array(BUCKETS.length + 1)
  sum = 0

  add(seconds: number): void {
    let bucket = 0
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++
    this.counts[bucket]!++
    this.sum += seconds
  }
}

/**
 * Counts answers by route and by status. The library's own counters validate, sort and join labels
 * at every answer; these are plain numbers that the library reads when they are scraped.
 */
export class RequestMetrics {
  readonly #byRoute = new Map<string, Map<string, Durations>>()
  readonly #byStatus = new Float64Array(STATUSES)

  constructor(registry: Registry) {
    registry.registerMetric(this.#histogram() as unknown as Metric)
    const byStatus = this.#byStatus
    new Counter({
      name: 'incident_feed_responses_total',
      help: 'Responses by status.',
      labelNames: ['status'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [status, count] of byStatus.entries()) if (count > 0) this.inc({ status }, count)
      },
    })
  }

  /** An answer whose client left before its end does not count. */
  readonly countResponse = (response: CountedResponse): void => {
    if (!response.writableFinished) return
    this.#byStatus[response.statusCode]!++
    if (response.isStream) return
    this.#durationsOf(response.route ?? 'none', response.req.method!).add(
      (performance.now() - response.startedAt) / 1000,
    )
  }

  #durationsOf(route: string, method: string): Durations {
    const known = this.#byRoute.get(route)?.get(method)
    if (known !== undefined) return known
    const durations = new Durations()
    const byMethod = this.#byRoute.get(route)
    if (byMethod === undefined) this.#byRoute.set(route, new Map([[method, durations]]))
    else byMethod.set(method, durations)
    return durations
  }

  /** What the library asks of a metric; its own histogram can only be filled value by value. */
  #histogram() {
    const shown = {
      name: DURATIONS,
      help: 'Time from a request to the end of its response, by route.',
      type: 'histogram',
      aggregator: 'sum',
    }
    return { ...shown, get: async () => ({ ...shown, values: [...this.#values()] }) }
  }

  *#values() {
    for (const [route, byMethod] of this.#byRoute) {
      for (const [method, { counts, sum }] of byMethod) {
        let count = 0
        for (const [bucket, bound] of [...BUCKETS, '+Inf'].entries()) {
          count += counts[bucket]!
          yield { metricName: `${DURATIONS}_bucket`, labels: { le: bound, method, route }, value: count }
        }
        yield { metricName: `${DURATIONS}_sum`, labels: { method, route }, value: sum }
        yield { metricName: `${DURATIONS}_count`, labels: { method, route }, value: count }
      }
    }
  }
}
