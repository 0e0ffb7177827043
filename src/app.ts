import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { CONNECTION_TIMEOUTS } from './api/server.ts'
import type { Phase, Services } from './api/services.ts'
import type { Archive } from './archive/archive.ts'
import type { Config } from './config/settings.ts'
import { machine, SynchronizedClock } from './lib/runtime.ts'
import { prepareEnvironment, type StartOptions } from './startup/environment.ts'
import { buildServers, listen } from './startup/http-service.ts'
import { openLog, openRequestLog } from './startup/log.ts'
import { StoreOutages } from './startup/outages.ts'
import { leaveLost, startServices } from './startup/services.ts'
import { closeServers, drainServers, reportStop, STOP_TIMEOUTS, type UnderWay, waitAtMost } from './startup/stopping.ts'
import type { Store } from './store/store.ts'

/** A reader of the log that hangs delays a stop by no more. */
const REQUEST_LOG_MS = 1000

/**
 * The running service. Disposing of it stops accepting, drains requests, gives the leases of
 * deliveries back and closes the store, each within a time limit.
 */
export interface App extends AsyncDisposable {
  readonly url: string
  /** The address of `/metrics`, if it has a port of its own. */
  readonly metricsUrl: string | null
  readonly server: FastifyInstance
  /** Resolves once the archive is loaded; rejects if the database cannot be used at all. */
  readonly ready: Promise<{ store: Store; archive: Archive }>
  /**
   * Resolves, with how many, if the database has lost events that this node had. Nothing is served
   * any more: the service has to be started anew. Rejects if this could not be noted.
   */
  readonly lost: Promise<number>
  /**
   * Serves for so long, and a little longer while requests still come, except that `/readyz` says
   * that this node is about to stop: load balancers find another one. Ends at once if the signal is
   * aborted, or before `ready`.
   */
  drain(ms: number, signal: AbortSignal): Promise<void>
}

export type { StartOptions } from './startup/environment.ts'

/** Starts the service: it listens at once, with 503 `starting` until the archive is loaded. */
export async function start(config: Config, options: StartOptions = {}): Promise<App> {
  const runtime = options.runtime ?? machine
  const outages = new StoreOutages(options.logger ?? openLog(config), runtime)
  const { logger } = outages
  const stopping = new AbortController()
  const parts = { webhooks: new AsyncDisposableStack(), others: new AsyncDisposableStack() }
  let listeningUrl: string | null = null
  const urlOfServer = (): string => {
    listeningUrl ??= options.edges === undefined ? addressOf(server, config.HOST) : 'http://localhost'
    return listeningUrl
  }
  const machineClock = new SynchronizedClock(runtime)
  const environment = prepareEnvironment(
    config,
    options.clock ?? machineClock.now,
    runtime,
    options,
    logger,
    urlOfServer,
  )
  parts.others.use(environment.tracing)
  parts.others.use(environment.sender)
  parts.others.use(environment.mails)
  const { lostEvents = 0 } = options
  let phase: Phase = { phase: 'starting', ...(lostEvents > 0 && { reason: LOST }) }
  const requestLog = options.requestLog ?? (() => openRequestLog(config))
  const timeouts = { ...CONNECTION_TIMEOUTS, ...options.connections }
  const http = buildServers(environment, () => phase, logger, timeouts, requestLog)
  const server = http.servers[0]!
  if (options.edges === undefined) {
    try {
      await listen(http, config)
    } catch (error) {
      // The other port is open already: the process would live on.
      await Promise.all([...http.servers.map((each) => each.close()), parts.others.disposeAsync()])
      throw error
    }
  } else await server.ready()
  const url = urlOfServer()

  let underWay = (): UnderWay => ({ requests: http.openRequests(), streams: 0, deliveries: 0 })
  const parting = Promise.withResolvers<void>()
  const starting = startServices(environment, machineClock, options, outages, stopping.signal, parts, parting.resolve)
  const ready = starting.then(({ services, pipeline }) => {
    phase = { phase: 'ready', services }
    underWay = () => {
      const streams = openStreams(services)
      return { requests: Math.max(0, http.openRequests() - streams), streams, deliveries: pipeline.inFlight }
    }
    const { store, archive } = services
    logger.info({ incidents: archive.size, seq: archive.head.seq }, 'ready')
    return { store, archive }
  })
  // Without a caller that awaits `ready`, its failure must not end the process.
  ready.catch(() => {})
  const lost = parting.promise
    .then(() => starting)
    .then(async ({ services, retryStore }) => {
      phase = { phase: 'starting', reason: LOST }
      logger.error(LOST)
      await parts.webhooks.disposeAsync()
      for (const each of [services.streams, services.deskStreams, services.listeningStreams])
        await each[Symbol.asyncDispose]()
      return leaveLost(services, environment.clock, retryStore, logger)
    })
  lost.catch(() => {})
  return {
    url,
    metricsUrl: http.metrics && addressOf(http.metrics, config.METRICS_HOST),
    server,
    ready,
    lost,
    async drain(ms, signal) {
      if (phase.phase === 'starting' || signal.aborted || ms === 0) return
      phase = { ...phase, phase: 'draining' }
      await drainServers(http, ms, signal, { runtime, logger })
    },
    async [Symbol.asyncDispose]() {
      const { requestsMs, webhooksMs, restMs } = { ...STOP_TIMEOUTS, ...options.stopping }
      const stopParts = { runtime, logger }
      using _ = reportStop(underWay, stopParts)
      stopping.abort()
      const webhooksStopped = ready.catch(() => {}).then(() => parts.webhooks.disposeAsync())
      await Promise.all([
        closeServers(http, requestsMs, stopParts),
        waitAtMost(webhooksMs, 'sending webhooks', webhooksStopped, stopParts),
      ])
      const written = waitAtMost(REQUEST_LOG_MS, 'writing the log of requests', http.flushRequestLog(), stopParts)
      await waitAtMost(restMs, 'closing the database', parts.others.disposeAsync(), stopParts)
      await written
      logger.info('stopped')
    },
  }
}

const LOST = 'The database has lost events that this node had. It starts anew from what is there.'

function openStreams({ streams, deskStreams, listeningStreams }: Services): number {
  return streams.open + deskStreams.open + listeningStreams.open
}

function addressOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
