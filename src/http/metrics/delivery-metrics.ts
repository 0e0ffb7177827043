import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { QueueDepth } from '../../store/store.ts'
import { type Environment, type Phase, servicesIfReady } from '../services.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400]
/** Counting stops here: the cost of a scrape must not grow with the queue. */
const MAX_COUNTED = 10_000

export function deliveryMetrics(registers: Registry[], environment: Environment, currentPhase: () => Phase): void {
  const attempts = new Counter({
    name: 'incident_feed_delivery_attempts_total',
    help: 'Delivery attempts by this process, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const latency = new Histogram({
    name: 'incident_feed_delivery_latency_seconds',
    help: "Time from an event's commit to the endpoint's 2xx.",
    buckets: BUCKETS,
    registers,
  })
  environment.attemptListeners.add(({ outcome }, sinceCommit) => {
    attempts.inc({ outcome })
    if (sinceCommit !== null) latency.observe(Math.max(0, sinceCommit) / 1000)
  })
  const read = async (measure: (depth: QueueDepth) => number): Promise<number> => {
    const services = servicesIfReady(currentPhase())
    if (services === null) return 0
    // A scrape must not fail while the database cannot be reached: an unknown depth is NaN.
    return services.store.deliveries.queueDepth(MAX_COUNTED).then(measure, () => Number.NaN)
  }
  gauge('waiting', `Deliveries due now or later, counted up to ${MAX_COUNTED}.`, ({ waiting }) => waiting)
  gauge('leased', `Deliveries that a process is sending, counted up to ${MAX_COUNTED}.`, ({ leased }) => leased)
  gauge('oldest_due_seconds', 'Time since the oldest due delivery became due.', ({ oldestDueAt }) =>
    oldestDueAt === null ? 0 : Math.max(0, environment.clock() - oldestDueAt) / 1000,
  )

  function gauge(name: string, help: string, measure: (depth: QueueDepth) => number): void {
    new Gauge({
      name: `incident_feed_deliveries_${name}`,
      help,
      registers,
      async collect() {
        this.set(await read(measure))
      },
    })
  }
}
