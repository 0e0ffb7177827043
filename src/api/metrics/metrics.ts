import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { StoreReadings } from '../monitoring/store-readings.ts'
import type { EmptyServer } from '../server.ts'
import { type Environment, type Phase, type Services, servicesIfReady } from '../services.ts'
import { accountMetrics } from './account-metrics.ts'
import { deliveryMetrics } from './delivery-metrics.ts'
import { deskMetrics } from './desk-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'
import { sourceMetrics } from './source-metrics.ts'

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
