import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { CHANNEL_KINDS, type ChannelKind } from '../../domain/channel.ts'
import { ATTEMPT_OUTCOMES } from '../../domain/delivery.ts'
import type { QueueDepth } from '../../store/store.ts'
import { MAX_COUNTED_DELIVERIES, type StoreReadings } from '../monitoring/store-readings.ts'
import type { Environment } from '../services.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400]

export function deliveryMetrics(registers: Registry[], environment: Environment, readings: StoreReadings): void {
  const attempts = new Counter({
    name: 'incident_feed_delivery_attempts_total',
    help: 'Delivery attempts by this process, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  // From 0: a rate cannot see the step from nothing to the first.
  const countersOf = (channel: ChannelKind) =>
    new Map(
      [...ATTEMPT_OUTCOMES, 'cancelled' as const].map((outcome) => [outcome, attempts.labels({ channel, outcome })]),
    )
  const counters = new Map(CHANNEL_KINDS.map((channel) => [channel, countersOf(channel)]))
  for (const counter of [...counters.values()].flatMap((each) => [...each.values()])) counter.inc(0)
  const latency = new Histogram({
    name: 'incident_feed_delivery_latency_seconds',
    help: "Time from an event's commit to the endpoint's 2xx, by channel.",
    labelNames: ['channel'],
    buckets: BUCKETS,
    registers,
  })
  for (const channel of CHANNEL_KINDS) latency.zero({ channel })
  const latencies = new Map(CHANNEL_KINDS.map((channel) => [channel, latency.labels({ channel })]))
  environment.attemptListeners.add(({ outcome }, sinceCommit, channel) => {
    counters.get(channel)!.get(outcome)!.inc()
    if (sinceCommit !== null) latencies.get(channel)!.observe(Math.max(0, sinceCommit) / 1000)
  })
  gauge('waiting', `Deliveries due now or later, counted up to ${MAX_COUNTED_DELIVERIES}.`, ({ waiting }) => waiting)
  gauge(
    'leased',
    `Deliveries that a process is sending, counted up to ${MAX_COUNTED_DELIVERIES}.`,
    ({ leased }) => leased,
  )
  gauge('oldest_due_seconds', 'Time since the oldest due delivery became due.', ({ oldestDueAt }) =>
    oldestDueAt === null ? 0 : Math.max(0, environment.clock() - oldestDueAt) / 1000,
  )

  function gauge(name: string, help: string, measure: (depth: QueueDepth) => number): void {
    new Gauge({
      name: `incident_feed_deliveries_${name}`,
      help,
      registers,
      async collect() {
        const depth = await readings.deliveryQueue()
        this.set(depth === null ? Number.NaN : measure(depth))
      },
    })
  }
}
