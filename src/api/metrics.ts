import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { CHANNEL_KINDS, type ChannelKind } from '../domain/channel.ts'
import { ATTEMPT_OUTCOMES } from '../domain/delivery.ts'
import {
  ITEM_STATE_NAMES,
  POLL_PROBLEM_CODES,
  SOURCE_STATUSES,
  type SourceStatus,
  statusOf,
} from '../domain/sources.ts'
import { SEVERITIES, type Severity } from '../domain/taxonomy.ts'
import { CachedReading } from '../lib/concurrency.ts'
import type { DeskQuery, QueueDepth, Store } from '../store/store.ts'
import type { CountedResponse } from './connections.ts'
import type { EmptyServer } from './server.ts'
import { type Environment, type Phase, type Services, SIGN_UP_STEPS, servicesIfReady } from './services.ts'

/**
 * Gauges of the library that are named like counters; each is the sum of one without the suffix.
 */
const MISNAMED_GAUGES = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Measures the server and everything behind it. */
export function collectMetrics(
  { connections, bounds }: EmptyServer,
  environment: Environment,
  currentPhase: () => Phase,
  readings: StoreReadings,
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED_GAUGES) registry.removeSingleMetric(name)
  const registers = [registry]
  connections.onResponse(new RequestMetrics(registry).countResponse)
  gauge('incident_feed_archive_incidents', 'Public incidents in memory.', ({ archive }) => archive.size)
  gauge(
    'incident_feed_archive_seq',
    'Sequence number of the last event in the archive.',
    ({ archive }) => archive.head.seq,
  )
  gauge(
    'incident_feed_archive_behind_seconds',
    'Time since the archive was last known to contain the whole event log.',
    (services) => services.freshness.behindMs / 1000,
  )

  gauge(
    'incident_feed_last_confirmation_timestamp_seconds',
    'When the newest public incident was published; NaN if there is none.',
    ({ archive }) => (archive.newestPublishedAt ?? Number.NaN) / 1000,
  )

  deliveryMetrics(registers, environment, readings)
  deskMetrics(registers, environment, readings)
  sourceMetrics(registers, environment, readings)
  accountMetrics(registers, environment)
  new Gauge({
    name: 'incident_feed_last_backup_timestamp_seconds',
    help: 'When the last backup was taken, by the database; 0 if none is on record.',
    registers,
    async collect() {
      this.set(((await readings.lastBackupAt()) ?? Number.NaN) / 1000)
    },
  })
  gauge('incident_feed_streams_open', 'Open streams.', ({ streams }) => streams.open)
  new Counter({
    name: 'incident_feed_streams_dropped_total',
    help: 'Streams closed because their clients did not read fast enough.',
    registers,
    collect() {
      this.reset()
      this.inc(servicesIfReady(currentPhase())?.streams.dropped ?? 0)
    },
  })

  new Gauge({
    name: 'incident_feed_connections_open',
    help: 'Open connections.',
    registers,
    collect() {
      this.set(connections.openConnections)
    },
  })
  new Counter({
    name: 'incident_feed_connections_refused_total',
    help: 'Connections closed at once because of CONNECTIONS (all) or CONNECTIONS_PER_ADDRESS (address).',
    labelNames: ['limit'],
    registers,
    collect() {
      this.reset()
      for (const [limit, count] of Object.entries(bounds.refused)) this.inc({ limit }, count)
    },
  })

  return registry

  function gauge(name: string, help: string, read: (services: Services) => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const services = servicesIfReady(currentPhase())
        this.set(services === null ? 0 : read(services))
      },
    })
  }
}

export function metricsRoute(server: FastifyInstance, registry: Registry): void {
  server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}

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

const LATENCY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400]

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
    buckets: LATENCY_BUCKETS,
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

/** The reports that wait for an editor. */
export function deskMetrics(registers: Registry[], { clock }: Environment, readings: StoreReadings): void {
  new Gauge({
    name: 'incident_feed_desk_reports_waiting',
    help: 'Reports that wait for a decision, by severity.',
    labelNames: ['severity'],
    registers,
    async collect() {
      const queue = await readings.deskQueue()
      for (const severity of SEVERITIES) this.set({ severity }, queue?.waiting[severity] ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'incident_feed_desk_oldest_report_seconds',
    help: 'Time since the oldest report that waits for a decision arrived; 0 if none waits.',
    registers,
    async collect() {
      const queue = await readings.deskQueue()
      if (queue === null) return this.set(Number.NaN)
      const { oldestReportedAt } = queue
      this.set(oldestReportedAt === null ? 0 : Math.max(0, clock() - oldestReportedAt) / 1000)
    },
  })
}

/** By result, state and status only: a label for each source would grow with them. */
export function sourceMetrics(registers: Registry[], environment: Environment, readings: StoreReadings): void {
  const polls = new Counter({
    name: 'incident_feed_source_polls_total',
    help: 'Polls of news sources by this process: read, unchanged, or the code of the problem.',
    labelNames: ['result'],
    registers,
  })
  const items = new Counter({
    name: 'incident_feed_source_items_total',
    help: 'Items of news sources that this process has saved, by what became of them.',
    labelNames: ['state'],
    registers,
  })
  // From 0: a rate cannot see the step from nothing to the first.
  for (const result of ['read', 'unchanged', ...POLL_PROBLEM_CODES]) polls.inc({ result }, 0)
  for (const state of ITEM_STATE_NAMES) items.inc({ state }, 0)
  environment.pollListeners.add(({ result, items: states }) => {
    polls.inc({ result })
    for (const state of states) items.inc({ state })
  })
  new Gauge({
    name: 'incident_feed_sources',
    help: 'News sources by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      const counts = await readings.sources()
      for (const status of SOURCE_STATUSES) this.set({ status }, counts?.[status] ?? Number.NaN)
    },
  })
}

export function accountMetrics(registers: Registry[], { signUpListeners }: Environment): void {
  const signUps = new Counter({
    name: 'incident_feed_sign_ups_total',
    help: 'Sign-ups at this process: links mailed, accounts opened, and requests refused by SIGNUPS_PER_HOUR.',
    labelNames: ['step'],
    registers,
  })
  // From 0: a rate cannot see the step from nothing to the first.
  for (const step of SIGN_UP_STEPS) signUps.inc({ step }, 0)
  signUpListeners.add((step) => signUps.inc({ step }))
}

/** Scrapers ask every 10 to 60 seconds: two of them share most readings. */
const MAX_AGE_MS = 5_000
/** The latencies are up to a thousand rows, and change slowly. */
const LATENCY_MAX_AGE_MS = 30_000
const LATENCY_WINDOW_MS = 24 * 3_600_000
const LATENCY_DELIVERIES = 1_000
/** Counting stops here: the cost of a scrape must not grow with the queue. */
export const MAX_COUNTED_DELIVERIES = 10_000

export interface DeskQueue {
  readonly waiting: Readonly<Record<Severity, number>>
  /** Null if none is waiting. */
  readonly oldestReportedAt: number | null
}

/** Numbers from the store, read when asked for; null while it cannot be reached. */
export interface StoreReadings {
  deliveryQueue(): Promise<QueueDepth | null>
  deskQueue(): Promise<DeskQueue | null>
  /** 0 if none was ever made. */
  lastBackupAt(): Promise<number | null>
  sources(): Promise<Readonly<Record<SourceStatus, number>> | null>
  /** In ascending order. */
  deliveryLatencies(): Promise<readonly number[] | null>
}

export function storeReadings({ clock }: Environment, currentPhase: () => Phase): StoreReadings {
  return {
    deliveryQueue: cached(MAX_AGE_MS, ({ deliveries }) => deliveries.queueDepth(MAX_COUNTED_DELIVERIES)),
    deskQueue: cached(MAX_AGE_MS, (store) => readDeskQueue(store, clock())),
    lastBackupAt: cached(MAX_AGE_MS, async ({ backups }) => (await backups.lastTakenAt()) ?? 0),
    sources: cached(MAX_AGE_MS, countSources),
    deliveryLatencies: cached(LATENCY_MAX_AGE_MS, async ({ deliveries }) => {
      const latencies = await deliveries.recentLatencies(clock() - LATENCY_WINDOW_MS, LATENCY_DELIVERIES)
      return latencies.toSorted((one, other) => one - other)
    }),
  }

  function cached<Value>(maxAgeMs: number, read: (store: Store) => Promise<Value>): () => Promise<Value | null> {
    let reading: CachedReading<Value> | null = null
    return async () => {
      const services = servicesIfReady(currentPhase())
      if (services === null) return null
      reading ??= new CachedReading(() => read(services.store), maxAgeMs)
      // A scrape or a status must not fail while the database cannot be reached.
      return reading.get().catch(() => null)
    }
  }
}

const WAITING_REPORTS: DeskQuery = {
  status: 'reported',
  order: 'oldest',
  origin: null,
  words: [],
  claimedBy: null,
  states: null,
  lgas: null,
  types: null,
  severities: null,
  minConfidence: null,
  maxConfidence: null,
  reportedFrom: null,
  reportedTo: null,
  occurredFrom: null,
  occurredTo: null,
  box: null,
}

/** Two statements: the counts are kept by the store, and the oldest report is first in an index. */
async function readDeskQueue({ desk }: Store, now: number): Promise<DeskQueue> {
  const [counts, { hits }] = await Promise.all([desk.counts(), desk.find(WAITING_REPORTS, null, 1, 1, now)])
  const waiting = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>
  for (const { status, severity, entries } of counts) if (status === 'reported') waiting[severity] += entries
  return { waiting, oldestReportedAt: hits[0]?.reportedAt ?? null }
}

async function countSources({ sources }: Store): Promise<Record<SourceStatus, number>> {
  const counts = Object.fromEntries(SOURCE_STATUSES.map((status) => [status, 0])) as Record<SourceStatus, number>
  for (const state of await sources.pollStates()) counts[statusOf(state)]++
  return counts
}
