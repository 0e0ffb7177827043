import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { PurgeOutcome } from '../deliveries/cache-purge.ts'
import { ATTEMPT_OUTCOMES } from '../domain/delivery.ts'
import { Problem } from '../domain/errors.ts'
import {
  ITEM_STATE_NAMES,
  POLL_PROBLEM_CODES,
  SOURCE_STATUSES,
  type SourceStatus,
  statusOf,
} from '../domain/sources.ts'
import { SEVERITIES, type Severity } from '../domain/taxonomy.ts'
import { CHANNEL_KINDS } from '../domain/watch.ts'
import { CachedReading } from '../lib/concurrency.ts'
import { lazy } from '../lib/memoize.ts'
import {
  type DeskQuery,
  GROWING_TABLES,
  type GrowingTable,
  NO_DESK_CONDITIONS,
  type QueueDepth,
  type Store,
} from '../store/store.ts'
import { COMMIT, SCHEMA } from '../version.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { DURATION_BUCKETS, type EmptyServer, type ResponseCounts } from './server.ts'
import { type Environment, type Phase, type Services, SIGN_UP_STEPS, servicesIfReady } from './services.ts'

/**
 * Gauges of the library that are named like counters; each is the sum of one without the suffix.
 */
const MISNAMED_GAUGES = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']
const LATENCY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400]

type Reading = number | Iterable<readonly [labelValue: string, count: number]>

/**
 * Exist once for a process, whatever it serves: each set would observe collections and measure the
 * event loop every ten milliseconds for good, and keep the service that made it.
 */
const processMetrics = lazy(() => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetric(name)!)
})

/**
 * Measures the server and everything behind it. Names and labels are part of the service's
 * interface: docs/monitoring.md describes each.
 */
export function collectMetrics(
  { connections, bounds }: EmptyServer,
  environment: Environment,
  currentPhase: () => Phase,
  readings: StoreReadings,
): Registry {
  const registry = new Registry()
  for (const metric of processMetrics()) registry.registerMetric(metric)
  for (const name of MISNAMED_GAUGES) registry.removeSingleMetric(name)
  measureResponses(registry, connections.counts)
  const age = (time: number | null) => (time === null ? 0 : Math.max(0, environment.clock() - time) / 1000)

  new Gauge(described(registry, 'build_info', 'Of this process: always 1.', 'version', 'commit', 'schema', 'node')).set(
    { version: environment.version, commit: COMMIT ?? 'unknown', schema: SCHEMA, node: process.version },
    1,
  )
  serviceGauge('archive_incidents', 'Public incidents in memory.', ({ archive }) => archive.size)
  serviceGauge(
    'archive_word_index_bytes',
    'Memory of the index of the words in summaries.',
    ({ archive }) => archive.wordMemory,
  )
  serviceGauge('archive_seq', 'Sequence number of the last event in the archive.', ({ archive }) => archive.head.seq)
  serviceGauge(
    'archive_behind_seconds',
    'Time since the archive was last known to contain the whole event log.',
    ({ freshness }) => freshness.behindMs / 1000,
  )
  serviceGauge(
    'log_from_standby',
    'Whether this node follows the log from a standby of PostgreSQL: 1, or 0 from the database itself.',
    ({ store }) => (store.reader.isStandby ? 1 : 0),
  )
  serviceGauge(
    'last_confirmation_timestamp_seconds',
    'When the newest public incident was published; NaN if there is none.',
    ({ archive }) => (archive.newestPublishedAt ?? Number.NaN) / 1000,
  )
  gauge(
    'table_rows',
    'Rows of the tables that grow with each day, roughly.',
    async () => byLabel(GROWING_TABLES, await readings.tableRows()),
    'table',
  )
  gauge(
    'clock_ahead_seconds',
    'Time by which the clock is ahead of the one that tells ages, because it has jumped; 0 otherwise.',
    () => environment.aging.behindMs / 1000,
  )
  measureAttempts(registry, environment)
  serviceGauge('fan_out_leader', 'Whether this node makes the deliveries of new events: 1 or 0.', ({ leadsFanOut }) =>
    leadsFanOut() ? 1 : 0,
  )
  queueGauge(
    'deliveries_waiting',
    `Deliveries due now or later, counted up to ${MAX_COUNTED_DELIVERIES}.`,
    ({ waiting }) => waiting,
  )
  queueGauge(
    'deliveries_leased',
    `Deliveries that a process is sending, counted up to ${MAX_COUNTED_DELIVERIES}.`,
    ({ leased }) => leased,
  )
  queueGauge('deliveries_oldest_due_seconds', 'Time since the oldest due delivery became due.', ({ oldestDueAt }) =>
    age(oldestDueAt),
  )
  gauge(
    'desk_reports_waiting',
    'Reports that wait for a decision, by severity.',
    async () => byLabel(SEVERITIES, (await readings.deskQueue())?.waiting),
    'severity',
  )
  gauge(
    'desk_oldest_report_seconds',
    'Time since the oldest report that waits for a decision arrived; 0 if none waits.',
    async () => {
      const queue = await readings.deskQueue()
      return queue === null ? Number.NaN : age(queue.oldestReportedAt)
    },
  )
  // By result, state and status only: a label for each source would grow with them.
  const polls = counter(
    'source_polls_total',
    'Polls of news sources by this process: read, unchanged, or the code of the problem.',
    'result',
    ['read', 'unchanged', ...POLL_PROBLEM_CODES],
  )
  const items = counter(
    'source_items_total',
    'Items of news sources that this process has saved, by what became of them.',
    'state',
    ITEM_STATE_NAMES,
  )
  environment.pollListeners.add(({ result, items: states }) => {
    polls.inc({ result })
    for (const state of states) items.inc({ state })
  })
  gauge('sources', 'News sources by status.', async () => byLabel(SOURCE_STATUSES, await readings.sources()), 'status')
  const signUps = counter(
    'sign_ups_total',
    'Sign-ups at this process: links mailed, accounts opened, and requests refused by SIGNUPS_PER_HOUR.',
    'step',
    SIGN_UP_STEPS,
  )
  environment.signUpListeners.add((step) => signUps.inc({ step }))
  const purges = counter(
    'cache_purges_total',
    'Requests to PURGE_URL, which tell caches of corrections, by outcome.',
    'outcome',
    ['sent', 'failed'] satisfies PurgeOutcome[],
  )
  environment.purgeListeners.add((outcome) => purges.inc({ outcome }))
  gauge(
    'last_backup_timestamp_seconds',
    'When the last backup was taken, by the database; 0 if none is on record.',
    async () => ((await readings.lastBackupAt()) ?? Number.NaN) / 1000,
  )
  total(
    'lost_events_total',
    'Events that this node had and the database has lost, as after a failover to a standby that was behind.',
    () => environment.lostEvents,
  )
  serviceGauge('streams_open', 'Open streams.', ({ streams }) => streams.open)
  total(
    'streams_dropped_total',
    'Streams closed because their clients did not read fast enough.',
    () => servicesIfReady(currentPhase())?.streams.dropped ?? 0,
  )
  gauge('connections_open', 'Open connections.', () => connections.openConnections)
  total(
    'connections_refused_total',
    'Connections closed at once because of CONNECTIONS (all) or CONNECTIONS_PER_ADDRESS (address).',
    () => Object.entries(bounds.refused),
    'limit',
  )
  return registry

  function serviceGauge(name: string, help: string, read: (services: Services) => number): void {
    gauge(name, help, () => {
      const services = servicesIfReady(currentPhase())
      return services === null ? 0 : read(services)
    })
  }

  function queueGauge(name: string, help: string, read: (depth: QueueDepth) => number): void {
    gauge(name, help, async () => {
      const depth = await readings.deliveryQueue()
      return depth === null ? Number.NaN : read(depth)
    })
  }

  /** Reads when it is scraped. */
  function gauge(name: string, help: string, read: () => Reading | Promise<Reading>, label?: string): void {
    new Gauge({
      ...described(registry, name, help, label),
      async collect() {
        const value = await read()
        if (typeof value === 'number') this.set(value)
        else for (const [labelValue, count] of value) this.set({ [label!]: labelValue }, count)
      },
    })
  }

  function total(name: string, help: string, read: () => Reading, label?: string): void {
    new Counter({
      ...described(registry, name, help, label),
      collect() {
        const value = read()
        this.reset()
        if (typeof value === 'number') this.inc(value)
        else for (const [labelValue, count] of value) this.inc({ [label!]: labelValue }, count)
      },
    })
  }

  /** From 0: a rate cannot see the step from nothing to the first. */
  function counter(name: string, help: string, label: string, values: readonly string[]): Counter {
    const counted = new Counter(described(registry, name, help, label))
    for (const value of values) counted.inc({ [label]: value }, 0)
    return counted
  }
}

function described(registry: Registry, name: string, help: string, ...labels: (string | undefined)[]) {
  const labelNames = labels.filter((label) => label !== undefined)
  return { name: `incident_feed_${name}`, help, labelNames, registers: [registry] }
}

/** NaN while the store cannot be reached. */
function byLabel<Label extends string>(
  labels: readonly Label[],
  counts: Readonly<Record<Label, number>> | null = null,
) {
  return labels.map((label) => [label, counts?.[label] ?? Number.NaN] as const)
}

const DURATIONS = 'incident_feed_request_duration_seconds'

/**
 * The library's own counters validate, sort and join labels at every answer, and its histogram can
 * only be filled value by value: it reads plain numbers when they are scraped.
 */
function measureResponses(registry: Registry, { byRoute, byStatus }: ResponseCounts): void {
  new Counter({
    ...described(registry, 'responses_total', 'Responses by status.', 'status'),
    collect() {
      this.reset()
      for (const [status, count] of byStatus.entries()) if (count > 0) this.inc({ status }, count)
    },
  })
  const help = 'Time from a request to the end of its response, by route.'
  const histogram = { name: DURATIONS, help, type: 'histogram', aggregator: 'sum' }
  const get = async () => ({ ...histogram, values: [...durationValues(byRoute)] })
  registry.registerMetric({ ...histogram, get } as unknown as Metric)
}

function* durationValues(byRoute: ResponseCounts['byRoute']) {
  for (const [route, byMethod] of byRoute) {
    for (const [method, { counts, sum }] of byMethod) {
      let count = 0
      for (const [bucket, bound] of [...DURATION_BUCKETS, '+Inf'].entries()) {
        count += counts[bucket]!
        yield { metricName: `${DURATIONS}_bucket`, labels: { le: bound, method, route }, value: count }
      }
      yield { metricName: `${DURATIONS}_sum`, labels: { method, route }, value: sum }
      yield { metricName: `${DURATIONS}_count`, labels: { method, route }, value: count }
    }
  }
}

/** The counters of all labels are looked up once: an attempt only adds. */
function measureAttempts(registry: Registry, { attemptListeners }: Environment): void {
  const attempts = new Counter(
    described(
      registry,
      'delivery_attempts_total',
      'Delivery attempts by this process, by channel and outcome.',
      'channel',
      'outcome',
    ),
  )
  const latency = new Histogram({
    ...described(
      registry,
      'delivery_latency_seconds',
      "Time from an event's commit to the endpoint's 2xx, by channel.",
      'channel',
    ),
    buckets: LATENCY_BUCKETS,
  })
  const measured = new Map(
    CHANNEL_KINDS.map((channel) => {
      const outcomes = [...ATTEMPT_OUTCOMES, 'cancelled' as const]
      const counters = new Map(outcomes.map((outcome) => [outcome, attempts.labels({ channel, outcome })]))
      for (const each of counters.values()) each.inc(0)
      latency.zero({ channel })
      return [channel, { counters, latency: latency.labels({ channel }) }]
    }),
  )
  attemptListeners.add(({ outcome }, sinceCommit, channel) => {
    const { counters, latency } = measured.get(channel)!
    counters.get(outcome)!.inc()
    if (sinceCommit !== null) latency.observe(Math.max(0, sinceCommit) / 1000)
  })
}

/** With an authenticator, only for the keys of admins, of which the scope `read` suffices. */
export function metricsRoute(server: FastifyInstance, registry: Registry, authenticator: Authenticator | null): void {
  // The authenticator counts those without a key itself.
  const options = authenticator === null ? {} : ({ config: { countedByAddress: false } } as const)
  server.get('/metrics', options, async (request, reply) => {
    await authenticator?.authenticate(request, reply, { method: 'GET', scope: 'read' })
    const { caller } = request
    if (caller !== null && (caller.account.role !== 'admin' || caller.key.kind === 'publishable'))
      throw new Problem(
        'insufficient_scope',
        '/metrics needs a secret key of an account with the role admin; the scope read suffices.',
      )
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Scrapers ask every 10 to 60 seconds: two of them share most readings. */
const MAX_AGE_MS = 5_000
/** The latencies are up to a thousand rows, and change slowly. */
const LATENCY_MAX_AGE_MS = 30_000
/** Tables grow slowly. */
const ROWS_MAX_AGE_MS = 300_000
const LATENCY_WINDOW_MS = 24 * 3_600_000
const LATENCY_DELIVERIES = 1_000
/** Counting stops here: the cost of a scrape must not grow with the queue. */
const MAX_COUNTED_DELIVERIES = 10_000

interface DeskQueue {
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
  tableRows(): Promise<Readonly<Record<GrowingTable, number>> | null>
  /** In ascending order. */
  deliveryLatencies(): Promise<readonly number[] | null>
}

export function storeReadings({ clock, runtime }: Environment, currentPhase: () => Phase): StoreReadings {
  return {
    deliveryQueue: cached(MAX_AGE_MS, ({ deliveries }) => deliveries.queueDepth(MAX_COUNTED_DELIVERIES)),
    deskQueue: cached(MAX_AGE_MS, (store) => readDeskQueue(store, clock())),
    lastBackupAt: cached(MAX_AGE_MS, async ({ backups }) => (await backups.lastTakenAt()) ?? 0),
    sources: cached(MAX_AGE_MS, countSources),
    tableRows: cached(ROWS_MAX_AGE_MS, ({ tables }) => tables.rows()),
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
      reading ??= new CachedReading(() => read(services.store), maxAgeMs, runtime.elapsed)
      // A scrape or a status must not fail while the database cannot be reached.
      return reading.get().catch(() => null)
    }
  }
}

const WAITING_REPORTS: DeskQuery = { ...NO_DESK_CONDITIONS, status: 'reported', order: 'oldest' }

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
