import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readStream } from '../../contract/read/stream.ts'
import type { EmptyServer } from '../create-server.ts'
import type { StoreReadings } from '../monitoring/store-readings.ts'
import { type Environment, type Phase, type Services, servicesIfReady } from '../services.ts'
import { accountMetrics } from './account-metrics.ts'
import { deliveryMetrics } from './delivery-metrics.ts'
import { deskMetrics } from './desk-metrics.ts'
import { sourceMetrics } from './source-metrics.ts'

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Gauges of the library that are named like counters; each is the sum of one without the suffix. */
const MISNAMED_GAUGES = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Measures the server and everything behind it. */
export function collectMetrics(
  { server, connections, bounds }: EmptyServer,
  environment: Environment,
  currentPhase: () => Phase,
  readings: StoreReadings,
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED_GAUGES) registry.removeSingleMetric(name)
  const registers = [registry]
  const durations = new Histogram({
    name: 'incident_feed_request_duration_seconds',
    help: 'Time from a request to the end of its response, by route.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  const responses = new Counter({
    name: 'incident_feed_responses_total',
    help: 'Responses by status.',
    labelNames: ['status'],
    registers,
  })
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

  const timers = memoize((name) => {
    const [method, route] = name.split(' ') as [string, string]
    return durations.labels(method, route)
  })
  const counters = memoize((status) => responses.labels(status))
  server.addHook('onResponse', (request, reply, done) => {
    // A stream lasts as long as its client wants, which says nothing about speed.
    if (reply.getHeader('content-type') !== readStream.response.contentType)
      timers(`${request.method} ${request.routeOptions.url ?? 'none'}`).observe(reply.elapsedTime / 1000)
    counters(String(reply.statusCode)).inc()
    done()
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

/** prom-client sorts and joins labels at every call; there are few, so each is resolved once. */
function memoize<Value>(make: (name: string) => Value): (name: string) => Value {
  const values = new Map<string, Value>()
  return (name) => {
    let value = values.get(name)
    if (value === undefined) {
      value = make(name)
      values.set(name, value)
    }
    return value
  }
}
