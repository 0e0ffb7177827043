import type { AddressInfo, LookupFunction } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { DeletedAccounts } from './accounts/deleted-accounts.ts'
import { MapKey } from './accounts/keys/map-key.ts'
import { setOperatorKey } from './accounts/keys/operator-key.ts'
import { smtpMailer } from './accounts/mail/mailer.ts'
import { UsageMeter } from './accounts/usage/usage-meter.ts'
import type { Archive } from './archive/archive.ts'
import { SlicedQueries } from './archive/slices/sliced-queries.ts'
import type { ChannelSettings } from './channels/channel-request.ts'
import type { Config } from './config/settings.ts'
import { readBoundaries } from './geo/boundaries/read-boundaries.ts'
import { openGeography } from './geo/geography.ts'
import { readRoads } from './geo/roads/read-roads.ts'
import { CONNECTION_TIMEOUTS, type ConnectionTimeouts } from './http/connections/connection-timeouts.ts'
import { readMapAssets } from './http/pages/map/map-assets.ts'
import type { LineDestination } from './http/request-log/descriptor.ts'
import { deskChangeResponse } from './http/routes/desk/response.ts'
import { buildServers } from './http/server.ts'
import type { Environment, Phase, Services } from './http/services.ts'
import { RedactionCleanup } from './intake/desk/redaction/redaction-cleanup.ts'
import { GazetteerFollower } from './intake/gazetteer/follow-gazetteer.ts'
import { SynchronizedClock } from './lib/time/synchronized-clock.ts'
import type { KeepingOptions } from './startup/archive-keeper.ts'
import { channelSettings, openChannels } from './startup/channels.ts'
import { followDatabaseClock } from './startup/clock.ts'
import { startListening } from './startup/listening.ts'
import { startMaintenance } from './startup/maintenance.ts'
import { openLog, openRequestLog } from './startup/open-log.ts'
import { startReadModel } from './startup/read-model.ts'
import { retryStoreUntil } from './startup/retry-store.ts'
import { prepareSavedFolder } from './startup/saved-folder.ts'
import { type SourceOptions, startSources } from './startup/sources.ts'
import { reportStop, type UnderWay } from './startup/stop-report.ts'
import { closeServers, STOP_TIMEOUTS, type StopTimeouts, waitAtMost } from './startup/stop-steps.ts'
import { isPostgres } from './store/open.ts'
import { openSealedStore } from './store/secrets/open-sealed.ts'
import type { Store } from './store/store.ts'
import { DeskStreams } from './streams/desk-streams.ts'
import type { StreamLimits } from './streams/stream-limits.ts'
import { startTracing } from './tracing/start-tracing.ts'
import { traceDelivery } from './tracing/trace-deliveries.ts'
import { traceStore } from './tracing/trace-store.ts'
import { VERSION } from './version.ts'
import { ensureAlertsAccount } from './webhooks/alerts/alerts-account.ts'
import type { Guard } from './webhooks/guard/guard.ts'
import { dnsClient } from './webhooks/names/dns-client.ts'
import { HostsFile } from './webhooks/names/hosts-file.ts'
import { NameResolver } from './webhooks/names/name-resolver.ts'
import { startWebhookPipeline, type WebhookPipeline } from './webhooks/pipeline.ts'
import { newProcessName } from './webhooks/process/process-name.ts'
import { smtpSender } from './webhooks/send/mail/mail-sender.ts'
import { SendingThread } from './webhooks/send/thread/sending-thread.ts'
import { WebhookSender } from './webhooks/send/webhook-sender.ts'

const POLL_DELIVERIES_INTERVAL_MS = 1000
const POLL_DESK_INTERVAL_MS = 1000
/** A reader of the log that hangs delays a stop by no more. */
const REQUEST_LOG_MS = 1000

/**
 * The running service. Disposing of it stops accepting, drains requests, gives the leases of
 * deliveries back and closes the store, each within a time limit.
 */
export interface App extends AsyncDisposable {
  readonly url: string
  /** Where `/metrics` is, if it has a port of its own. */
  readonly metricsUrl: string | null
  readonly server: FastifyInstance
  /** Resolves once the archive is loaded; rejects if the database cannot be used at all. */
  readonly ready: Promise<{ store: Store; archive: Archive }>
}

export interface StartOptions {
  readonly clock?: () => number
  readonly logger?: Logger
  /** Where LOG_REQUESTS writes; by default the standard output. */
  readonly requestLog?: () => LineDestination
  /** Resolves the host names of webhook endpoints. */
  readonly lookup?: LookupFunction
  readonly streams?: Partial<StreamLimits>
  readonly connections?: Partial<ConnectionTimeouts>
  readonly stopping?: Partial<StopTimeouts>
  readonly sources?: SourceOptions
  readonly keeping?: Partial<KeepingOptions>
}

/** Starts the service: it listens at once, with 503 `starting` until the archive is loaded. */
export async function start(config: Config, options: StartOptions = {}): Promise<App> {
  const logger = options.logger ?? openLog(config)
  const stopping = new AbortController()
  const parts = { webhooks: new AsyncDisposableStack(), others: new AsyncDisposableStack() }
  let listeningUrl: string | null = null
  const urlOfServer = (): string => {
    listeningUrl ??= addressOf(server, config.HOST)
    return listeningUrl
  }
  const machineClock = new SynchronizedClock()
  const environment = prepareEnvironment(config, options.clock ?? machineClock.now, options, logger, urlOfServer)
  parts.others.use(environment.tracing)
  parts.others.use(environment.sender)
  parts.others.use(environment.mails)
  let phase: Phase = { phase: 'starting' }
  const requestLog = options.requestLog ?? (() => openRequestLog(config))
  const timeouts = { ...CONNECTION_TIMEOUTS, ...options.connections }
  const http = buildServers(environment, () => phase, logger, timeouts, requestLog)
  const server = http.servers[0]!
  await server.listen({ port: config.PORT, host: config.HOST })
  await http.metrics?.listen({ port: config.METRICS_PORT!, host: config.METRICS_HOST })
  const url = urlOfServer()

  let underWay = (): UnderWay => ({ requests: http.openRequests(), streams: 0, deliveries: 0 })
  const starting = startServices(environment, machineClock, options, logger, stopping.signal, parts)
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
  return {
    url,
    metricsUrl: http.metrics && addressOf(http.metrics, config.METRICS_HOST),
    server,
    ready,
    async [Symbol.asyncDispose]() {
      const { requestsMs, webhooksMs, restMs } = { ...STOP_TIMEOUTS, ...options.stopping }
      using _ = reportStop(underWay, logger)
      stopping.abort()
      const webhooksStopped = ready.catch(() => {}).then(() => parts.webhooks.disposeAsync())
      await Promise.all([
        closeServers(http, requestsMs, logger),
        waitAtMost(webhooksMs, 'sending webhooks', webhooksStopped, logger),
      ])
      const written = waitAtMost(REQUEST_LOG_MS, 'writing the log of requests', http.flushRequestLog(), logger)
      await waitAtMost(restMs, 'closing the database', parts.others.disposeAsync(), logger)
      await written
      logger.info('stopped')
    },
  }
}

function prepareEnvironment(
  config: Config,
  clock: () => number,
  options: StartOptions,
  logger: Logger,
  urlOfServer: () => string,
): Environment {
  const boundaries = config.LGA_BOUNDARIES === null ? null : readBoundaries(config.LGA_BOUNDARIES)
  for (const note of boundaries?.notes ?? []) logger.warn(`LGA_BOUNDARIES: ${note}`)
  const roads = config.MAP_ROADS === null ? null : readRoads(config.MAP_ROADS)
  for (const note of roads?.notes ?? []) logger.warn(`MAP_ROADS: ${note}`)
  const guard = { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, ...resolvingNames(config, options) }
  const mapAssets = readMapAssets()
  if (mapAssets === null)
    logger.warn('the map has not been built, so / shows a plain list; build it with: npm run build')
  return {
    config,
    version: VERSION,
    geography: openGeography(boundaries, roads),
    clock,
    mailer: config.SMTP_URL === null ? null : smtpMailer(config.SMTP_URL, config.MAIL_FROM),
    mails: config.SMTP_URL === null ? null : smtpSender(config.SMTP_URL, config.MAIL_FROM),
    mapAssets,
    guard,
    sender: messageSender(config, options, guard, logger),
    usage: new UsageMeter(),
    deletedAccounts: new DeletedAccounts(),
    channels: channelSettings(config, () => config.PUBLIC_URL ?? urlOfServer()),
    queries: new SlicedQueries(),
    attemptListeners: new Set(),
    pollListeners: new Set(),
    signUpListeners: new Set(),
    tracing: startTracing(config, { 'service.version': VERSION }, (error, spans) =>
      logger.warn({ err: error, spans }, 'traces could not be sent'),
    ),
    publicUrl: () => config.PUBLIC_URL ?? urlOfServer(),
  }
}

function resolvingNames(config: Config, { lookup }: StartOptions): Pick<Guard, 'lookup' | 'prepare'> {
  if (lookup !== undefined) return { lookup }
  const resolveName = dnsClient({ servers: config.DNS_SERVERS })
  const resolver = new NameResolver({ resolveName, hosts: new HostsFile() })
  return { lookup: resolver.lookup, prepare: (host, accountId) => resolver.resolve(host, accountId) }
}

/** A thread cannot be given the `lookup` of a test, which is then used in this one. */
function messageSender(config: Config, { lookup }: StartOptions, guard: Guard, logger: Logger): Environment['sender'] {
  if (lookup !== undefined) return new WebhookSender({ guard })
  return new SendingThread({
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    nameServers: config.DNS_SERVERS,
    onLost: (error) => logger.error({ err: error }, 'messages are sent by another thread'),
  })
}

/** The parts that are stopped first, and those that they and running requests need. */
interface RunningParts {
  readonly webhooks: AsyncDisposableStack
  readonly others: AsyncDisposableStack
}

/** Opens the store, then starts the read model, webhooks and maintenance; `parts` stops them. */
async function startServices(
  environment: Environment,
  machineClock: SynchronizedClock,
  options: StartOptions,
  logger: Logger,
  stopping: AbortSignal,
  { webhooks, others }: RunningParts,
): Promise<{ readonly services: Services; readonly pipeline: WebhookPipeline }> {
  const { config, clock, usage, deletedAccounts } = environment
  const retryStore = retryStoreUntil(stopping, logger)
  const opened = others.use(await retryStore(() => openServiceStore(config, logger)))
  const { tracing } = environment
  const system = isPostgres(config.DATABASE_URL) ? 'postgresql' : 'sqlite'
  const store = tracing === null ? opened : traceStore(opened, tracing.tracer, system)
  if (tracing !== null) environment.attemptListeners.add((result) => traceDelivery(tracing.tracer, result))
  others.use(await followDatabaseClock(machineClock, store, { retryStore, logger }))
  const { streams: streamLimits } = options
  const keeping = { documentBytes: config.DOCUMENT_MEMORY_MB * 1_000_000, ...options.keeping }
  const savedIn = await prepareSavedFolder(config, logger)
  const readModel = others.use(
    await startReadModel(store, { clock, logger, retryStore, streams: streamLimits, savedIn, keeping }),
  )
  const onGazetteerError = (error: unknown) => logger.warn({ err: error }, 'the gazetteer cannot be followed')
  others.use(await retryStore(() => GazetteerFollower.start(store, environment.geography, onGazetteerError)))
  // The process is to end: nothing further is started.
  stopping.throwIfAborted()
  const { OPERATOR_KEY } = config
  if (OPERATOR_KEY !== null) await retryStore(() => setOperatorKey(store, OPERATOR_KEY, clock()))
  await retryStore(() => ensureAlertsAccount(store, clock()))
  const mapKey = new MapKey()
  await retryStore(() => mapKey.renew(store, clock()))
  const { archive, recent, streams, freshness } = readModel
  const channels = await retryStore(() => openChannels(environment.channels, config, store))
  const deskStreams = others.use(
    new DeskStreams(
      {
        desk: store.desk,
        changeJson: (change) => JSON.stringify(deskChangeResponse(change, clock())),
        clock,
        pollEvery: POLL_DESK_INTERVAL_MS,
        onError: (error) => logger.warn({ err: error }, 'the desk cannot be followed'),
      },
      options.streams,
    ),
  )
  const listeningStreams = others.use(startListening(store, clock, logger, options.streams))
  stopping.throwIfAborted()
  const owner = newProcessName()
  const pipeline = webhooks.use(await retryStore(() => startWebhooks(owner, store, channels, environment, logger)))
  webhooks.use(startSources(owner, { store, archive }, environment, logger, options.sources))
  const redactionCleanup = new RedactionCleanup({
    store,
    eraseSaved: readModel.eraseSaved,
    clock,
    stopwatch: () => performance.now(),
  })
  others.use(
    startMaintenance({
      store,
      streams,
      deskStreams,
      listeningStreams,
      mapKey,
      usage,
      mailer: environment.mailer,
      deletedAccounts,
      tipContactDays: config.TIP_CONTACT_DAYS,
      redactionCleanup,
      clock,
      logger,
    }),
  )
  const followers = { recent, streams, deskStreams, listeningStreams, freshness }
  return { services: { store, archive, ...followers, mapKey, redactionCleanup, channels }, pipeline }
}

function openStreams({ streams, deskStreams, listeningStreams }: Services): number {
  return streams.open + deskStreams.open + listeningStreams.open
}

function openServiceStore({ DATABASE_URL, SECRETS_KEY }: Config, logger: Logger): Promise<Store> {
  return openSealedStore(DATABASE_URL, { secretKeys: SECRETS_KEY, onWarning: (message) => logger.warn(message) })
}

function startWebhooks(
  owner: string,
  store: Store,
  channels: ChannelSettings,
  environment: Environment,
  logger: Logger,
): Promise<WebhookPipeline> {
  const { config, sender, mails, geography, clock, mailer, attemptListeners, deletedAccounts } = environment
  return startWebhookPipeline({
    owner,
    store,
    sender,
    channels,
    places: geography.places,
    clock,
    mailer,
    mails,
    isAccountDeleted: (id) => deletedAccounts.has(id),
    alertsPerHour: config.ALERTS_PER_HOUR,
    concurrency: config.WEBHOOK_CONCURRENCY,
    perHost: config.WEBHOOK_CONCURRENCY_PER_HOST,
    pollIntervalMs: POLL_DELIVERIES_INTERVAL_MS,
    onAttempt: (result, sinceCommit, channel) => {
      for (const listener of attemptListeners) listener(result, sinceCommit, channel)
    },
    onError: (error) => logger.warn({ err: error }, 'deliveries are delayed by an error'),
  })
}

function addressOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
