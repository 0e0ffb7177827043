import type { Logger } from 'pino'
import { MapKey, setOperatorKey } from '../accounts/keys.ts'
import { deskChangeResponse } from '../api/desk/incident.ts'
import type { Environment, Services } from '../api/services.ts'
import type { Config } from '../config/settings.ts'
import { ensureAlertsAccount } from '../deliveries/alerts/alerts.ts'
import { CachePurger } from '../deliveries/cache-purge.ts'
import type { ChannelSettings } from '../deliveries/channels/channel-request.ts'
import { type Heartbeat, isOutdated, newProcessName } from '../deliveries/heartbeat.ts'
import { ListenedMessages, type Listener } from '../deliveries/listening.ts'
import { startWebhookPipeline, type WebhookPipeline } from '../deliveries/pipeline.ts'
import { GazetteerFollower } from '../desk/gazetteer/follow-gazetteer.ts'
import { findLoss, retractLost } from '../desk/lost-events.ts'
import { RedactionCleanup } from '../desk/redaction.ts'
import { Positions } from '../event-log/positions.ts'
import type { Runtime, SynchronizedClock } from '../lib/runtime.ts'
import type { Migrating } from '../store/migrations.ts'
import { isPostgres } from '../store/open.ts'
import { openSealedStore } from '../store/secrets/open-sealed.ts'
import { LINK_LENGTH, type Store } from '../store/store.ts'
import { DeskStreams } from '../streams/desk-streams.ts'
import { ListeningStreams } from '../streams/listening-streams.ts'
import type { StreamLimits } from '../streams/stream-connection.ts'
import { traceDelivery, traceStore } from '../tracing/traced-parts.ts'
import { openChannels } from './channels.ts'
import { ClockKeeper, followDatabaseClock, type RetryStore, retryStoreUntil } from './clock.ts'
import type { StartOptions } from './environment.ts'
import { startMaintenance } from './maintenance.ts'
import type { StoreOutages } from './outages.ts'
import { prepareSavedFolder, startReadModel } from './read-model.ts'
import { startSources } from './sources.ts'

const POLL_DELIVERIES_INTERVAL_MS = 1000
/** Of a standby. */
const MAX_LAG_MS = 20_000
const POLL_DESK_INTERVAL_MS = 1000
/** Nodes before it redact without a note in the seal. */
const CHAIN_SCHEMA = 39

/** The parts that are stopped first, and those that they and running requests need. */
interface RunningParts {
  readonly webhooks: AsyncDisposableStack
  readonly others: AsyncDisposableStack
}

/** Opens the store, then starts the read model, webhooks and maintenance; `parts` stops them. */
export async function startServices(
  environment: Environment,
  machineClock: SynchronizedClock,
  options: StartOptions,
  outages: StoreOutages,
  stopping: AbortSignal,
  { webhooks, others }: RunningParts,
  onLost: () => void,
): Promise<{ readonly services: Services; readonly pipeline: WebhookPipeline; readonly retryStore: RetryStore }> {
  const { config, clock, aging, runtime, usage, deletedAccounts } = environment
  const { logger } = outages
  const retryStore = retryStoreUntil(stopping, runtime, outages, !isPostgres(config.DATABASE_URL))
  const opened = others.use(await retryStore(() => openServiceStore(config, options, runtime, logger)))
  const { tracing } = environment
  const system = isPostgres(config.DATABASE_URL) ? 'postgresql' : 'sqlite'
  const store = tracing === null ? opened : traceStore(opened, tracing.tracer, system)
  if (tracing !== null) environment.attemptListeners.add((result) => traceDelivery(tracing.tracer, result))
  others.use(await followDatabaseClock(machineClock, store, { retryStore, runtime, logger }))
  others.use(await ClockKeeper.start({ store, clock, aging, runtime, logger }, retryStore))
  await options.fill?.(store)
  const { streams: streamLimits } = options
  const keeping = { documentBytes: config.DOCUMENT_MEMORY_MB * 1_000_000, ...options.keeping }
  const savedIn = await prepareSavedFolder(config, logger)
  const readModel = others.use(
    await startReadModel(store, {
      clock,
      runtime,
      logger,
      retryStore,
      streams: streamLimits,
      savedIn,
      keeping,
      onLost,
    }),
  )
  const onGazetteerError = (error: unknown) => logger.warn({ err: error }, 'the gazetteer cannot be followed')
  others.use(await retryStore(() => GazetteerFollower.start(store, environment.geography, runtime, onGazetteerError)))
  // The process is to end: nothing further is started.
  stopping.throwIfAborted()
  const { OPERATOR_KEY } = config
  if (OPERATOR_KEY !== null) await retryStore(() => setOperatorKey(store, OPERATOR_KEY, clock()))
  await retryStore(() => ensureAlertsAccount(store, clock()))
  const mapKey = new MapKey()
  await retryStore(() => mapKey.renew(store, clock()))
  const { archive, recent, streams, freshness } = readModel
  const positions = await retryStore(() =>
    Positions.open({
      chain: store.chain,
      log: store.events,
      recent,
      head: () => archive.head,
      elapsed: runtime.elapsed,
      onError: (error) => logger.warn({ err: error }, 'the forks of the log cannot be read'),
    }),
  )
  const channels = await retryStore(() => openChannels(environment.channels, config, store))
  const deskStreams = others.use(
    new DeskStreams(
      {
        desk: store.desk,
        changeJson: (change) => JSON.stringify(deskChangeResponse(change, clock())),
        clock,
        runtime,
        pollEvery: POLL_DESK_INTERVAL_MS,
        onError: (error) => logger.warn({ err: error }, 'the desk cannot be followed'),
      },
      options.streams,
    ),
  )
  const listeningStreams = others.use(startListening({ store, archive }, environment, logger, options.streams))
  stopping.throwIfAborted()
  const owner = newProcessName()
  const pipeline = webhooks.use(await retryStore(() => startWebhooks(owner, store, channels, environment, outages)))
  const { PURGE_URL } = config
  if (PURGE_URL !== null) {
    const { purgeListeners } = environment
    webhooks.use(
      new CachePurger({
        store,
        url: PURGE_URL,
        header: config.PURGE_HEADER,
        owner,
        isChosen: () => pipeline.leadsFanOut,
        pollIntervalMs: POLL_DELIVERIES_INTERVAL_MS,
        runtime,
        onOutcome: (outcome) => {
          for (const listener of purgeListeners) listener(outcome)
        },
        onError: (error, message) => logger.warn({ err: error }, message),
      }),
    )
  }
  webhooks.use(startSources(owner, { store, archive }, environment, logger, options, () => pipeline.yieldsLeases))
  const redactionCleanup = new RedactionCleanup({
    store,
    eraseSaved: readModel.eraseSaved,
    clock,
    stopwatch: runtime.elapsed,
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
      keptDays: { audit: config.AUDIT_DAYS, usage: config.USAGE_DAYS, deliveries: config.DELIVERY_LOG_DAYS },
      redactionCleanup,
      isOutdated: () => isOutdated(pipeline.schemas),
      hasOldNodes: () => pipeline.schemas.oldest < CHAIN_SCHEMA,
      clock,
      agingClock: aging.now,
      runtime,
      logger,
    }),
  )
  const followers = { recent, streams, deskStreams, listeningStreams, freshness, positions }
  return {
    services: {
      store,
      archive,
      ...followers,
      mapKey,
      redactionCleanup,
      channels,
      leadsFanOut: () => pipeline.leadsFanOut,
      schemas: () => pipeline.schemas,
    },
    pipeline,
    retryStore,
  }
}

/** Repairs what can be repaired of a loss, and returns how many events this node knows of it. */
export async function leaveLost(
  { store, archive, recent }: Services,
  clock: () => number,
  retryStore: RetryStore,
  logger: Logger,
): Promise<number> {
  const loss = await retryStore(() => findLoss(store.events, recent, archive.head.seq))
  await retryStore(() => store.chain.recordLoss(loss.commonSeq, archive.head, clock()))
  const retracted = await retryStore(() => retractLost(loss, store, clock()))
  const { commonSeq, seenSeq, events } = loss
  const found = { commonSeq, seenSeq, events: events.length, retracted }
  logger.warn(found, 'receivers are told of the incidents that were lost; positions behind the last common event end')
  return events.length
}

function openServiceStore(
  { DATABASE_URL, DATABASE_READ_URL, DATABASE_CONNECTIONS, READY_MAX_BEHIND, SECRETS_KEY }: Config,
  { sqlite, postgres }: StartOptions,
  runtime: Runtime,
  logger: Logger,
): Promise<Store> {
  const onWarning = (message: string) => logger.warn(message)
  const onMigrating = ({ from, to, names }: Migrating) =>
    logger.info(
      { from, to, ...(from > 0 && { names }) },
      from > 0 ? 'migrating the database' : 'creating the tables of the database',
    )
  const connections = DATABASE_CONNECTIONS === null ? {} : { connections: DATABASE_CONNECTIONS }
  const onChange = (reason: string | null) =>
    reason === null
      ? logger.info('the log is read from a standby again')
      : logger.warn({ reason }, 'the log is read from the primary: no standby can be used')
  // A node must not become unready for a standby: it reads the primary before that.
  const standby = {
    url: DATABASE_READ_URL ?? '',
    maxLagMs: Math.min(MAX_LAG_MS, (READY_MAX_BEHIND * 1000) / 2),
    onChange,
  }
  const standbys = DATABASE_READ_URL === null ? {} : { standby }
  const stores = { sqlite: { runtime, ...sqlite }, postgres: { runtime, ...connections, ...standbys, ...postgres } }
  return openSealedStore(DATABASE_URL, { secretKeys: SECRETS_KEY, ...stores, onWarning, onMigrating })
}

function startWebhooks(
  owner: string,
  store: Store,
  channels: ChannelSettings,
  environment: Environment,
  outages: StoreOutages,
): Promise<WebhookPipeline> {
  const { config, sender, mails, geography, clock, aging, runtime, mailer, attemptListeners, deletedAccounts } =
    environment
  return startWebhookPipeline({
    owner,
    store,
    sender,
    channels,
    places: geography.places,
    clock,
    agingClock: aging.now,
    runtime,
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
    onHeartbeat: noteHeartbeats(outages),
    onError: (error) => outages.logger.warn({ err: error }, 'deliveries are delayed by an error'),
  })
}

/** Ends an outage; logs when this node begins to leave deliveries to newer ones, and ends to. */
function noteHeartbeats(outages: StoreOutages): (heartbeat: Heartbeat) => void {
  let yielded = false
  return ({ yieldsLeases, schemas: { own, database, newest } }) => {
    outages.recordWrite()
    if (yieldsLeases === yielded) return
    yielded = yieldsLeases
    const versions = { schema: own, newest, database: database.version, needed: database.needs }
    if (!yieldsLeases) outages.logger.info(versions, 'no newer node is alive: this one delivers and polls again')
    else if (database.needs > own)
      outages.logger.error(versions, 'the database needs a newer build: this node only reads; stop it')
    else outages.logger.info(versions, 'a newer node is alive: this one leaves deliveries and polling to it')
  }
}

const POLL_INTERVAL_MS = 1000

/** Starts following what can be told to those who listen to watches and filters. */
function startListening(
  { store, archive }: Pick<Services, 'store' | 'archive'>,
  { clock, runtime }: Environment,
  logger: Logger,
  limits: Partial<StreamLimits> | undefined,
): ListeningStreams<Listener> {
  const onChange = (wake: () => void) => {
    const stops = [store.events.onAppend(wake), store.deliveries.onDue(wake)]
    return () => {
      for (const stop of stops) stop()
    }
  }
  return new ListeningStreams(
    {
      feed: new ListenedMessages(store, clock),
      fork: () => archive.head.link.slice(LINK_LENGTH + 1),
      onChange,
      clock,
      runtime,
      pollIntervalMs: POLL_INTERVAL_MS,
      onError: (error) => logger.warn({ err: error }, 'messages cannot be followed'),
    },
    limits,
  )
}
