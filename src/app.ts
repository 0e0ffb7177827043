import { lookup } from 'node:dns'
import type { AddressInfo, LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { ensureOperatorKey } from './accounts/keys/issue.ts'
import { MapKey } from './accounts/keys/map-key.ts'
import { smtpMailer } from './accounts/mail/mailer.ts'
import { keepUsage } from './accounts/usage/keep-usage.ts'
import { UsageMeter } from './accounts/usage/usage-meter.ts'
import { Archive } from './archive/archive.ts'
import type { AppliedEvent } from './archive/recent-changes.ts'
import type { Config } from './config.ts'
import { Follower } from './event-log/follower.ts'
import { RecentEvents } from './event-log/recent-events.ts'
import { readBoundaries } from './geo/boundaries/read.ts'
import { openGeography } from './geo/geography.ts'
import { readMapAssets } from './http/pages/map/map-assets.ts'
import { buildServer } from './http/server.ts'
import type { Dependencies } from './http/services.ts'
import { openStore } from './store/open.ts'
import { type Store, StoreUnavailable } from './store/store.ts'
import { Streams } from './streams/streams.ts'
import type { StreamTuning } from './streams/tuning.ts'
import { VERSION } from './version.ts'
import { Sender } from './webhooks/send/sender.ts'
import { startWatches } from './webhooks/start.ts'

const RETRY_STORE_EVERY = 1000
const POLL_LOG_EVERY = 1000
const POLL_DELIVERIES_EVERY = 1000
const KEEP_USAGE_EVERY = 5000
const FORGET_EVERY = 3_600_000
const RENEW_MAP_KEY_EVERY = 3_600_000
/** A stream ends as soon after its key was revoked, on whichever node. */
const LOOK_FOR_REVOKED_EVERY = 1000
/** Looked for so far back each time: other nodes' clocks may be behind, and what was just let in still be asked to leave. */
const REVOKED_WITHIN = 60_000
const FORGET_QUOTAS_EVERY = 60_000
const REMEMBER_FOR = 24 * 3_600_000
/** How long a finished delivery can be looked at, and sent again. */
const KEEP_DELIVERIES_FOR = 30 * 24 * 3_600_000
const FORGET_AT_ONCE = 1000

/** The running service. Leaving its scope stops accepting, finishes what is under way, and closes the store. */
export interface App extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string
  readonly server: FastifyInstance
  /** Resolves once the archive is loaded; rejects where the database can never be used. */
  readonly ready: Promise<{ store: Store; archive: Archive }>
}

export interface StartOptions {
  readonly clock?: () => number
  readonly logger?: Logger
  /** How endpoints' names are resolved. */
  readonly lookup?: LookupFunction
  readonly streams?: Partial<StreamTuning>
}

/** Starts everything. It listens from the first moment and says that it is starting until the archive is there. */
export async function start(config: Config, options: StartOptions = {}): Promise<App> {
  const clock = options.clock ?? Date.now
  const logger = options.logger ?? pino({ level: config.LOG_LEVEL })
  const stopping = new AbortController()
  const running = new AsyncDisposableStack()
  const usage = new UsageMeter()
  const boundaries = config.LGA_BOUNDARIES === null ? null : readBoundaries(config.LGA_BOUNDARIES)
  for (const note of boundaries?.notes ?? []) logger.warn(`LGA_BOUNDARIES: ${note}`)
  const guard = { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, lookup: options.lookup ?? (lookup as LookupFunction) }
  const sender = running.use(new Sender({ guard }))
  const mapAssets = readMapAssets()
  if (mapAssets === null)
    logger.warn('the map has not been built, so / shows a plain list; build it with: npm run build')
  const mapKey = new MapKey()
  const dependencies: Dependencies = {
    config,
    guard,
    sender,
    onAttempt: () => {},
    version: VERSION,
    geography: openGeography(boundaries),
    clock,
    mailer: config.SMTP_URL === null ? null : smtpMailer(config.SMTP_URL, config.MAIL_FROM),
    mapKey,
    mapAssets,
    publicUrl: config.PUBLIC_URL ?? '',
    store: null,
    archive: null,
    recent: null,
    streams: null,
    inStepAt: clock,
  }
  const server = buildServer(dependencies, usage, logger)
  await server.listen({ port: config.PORT, host: config.HOST })
  const url = addressOf(server, config.HOST)
  dependencies.publicUrl ||= url

  const ready = load()
  // Whoever waits for it hears of a failure; without anyone waiting, it must not end the process.
  ready.catch(() => {})
  return {
    url,
    server,
    ready,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await server.close()
      await ready.catch(() => {})
      await running.disposeAsync()
    },
  }

  async function load(): Promise<{ store: Store; archive: Archive }> {
    const store = running.use(await untilThere(() => openStore(config.DATABASE_URL)))
    const archive = await untilThere(async () => Archive.load(await store.incidents.snapshot()))
    if (config.OPERATOR_KEY !== null) await untilThere(() => ensureOperatorKey(store, config.OPERATOR_KEY!, clock()))
    const recent = new RecentEvents<AppliedEvent>(archive.head.seq)
    const streams = running.use(
      new Streams(
        {
          archive,
          recent,
          log: store.events,
          clock,
          random: Math.random,
          onError: (error) => logger.warn({ err: error }, 'a stream had to be ended'),
        },
        options.streams,
      ),
    )
    await untilThere(() => mapKey.renew(store, clock()))
    const follower = running.use(
      new Follower(archive, store.events, {
        clock,
        pollEvery: POLL_LOG_EVERY,
        onEvents: (events) => {
          recent.add(events)
          streams.tell(events)
        },
        onError: (error) => logger.warn({ err: error }, 'the log cannot be followed'),
      }),
    )
    const { places } = dependencies.geography
    const watches = await untilThere(() =>
      startWatches({
        store,
        sender,
        places,
        clock,
        mailer: dependencies.mailer,
        concurrency: config.WEBHOOK_CONCURRENCY,
        perHost: config.WEBHOOK_CONCURRENCY_PER_HOST,
        pollEvery: POLL_DELIVERIES_EVERY,
        onAttempt: (result, sinceCommit) => dependencies.onAttempt(result, sinceCommit),
        onError: (error) => logger.warn({ err: error }, 'deliveries are held up'),
      }),
    )
    running.use(watches)
    repeat(FORGET_EVERY, () => forgetDeliveries(store))
    repeat(RENEW_MAP_KEY_EVERY, () => mapKey.renew(store, clock()))
    repeat(KEEP_USAGE_EVERY, () => keepUsage(store, usage))
    repeat(LOOK_FOR_REVOKED_EVERY, async () =>
      streams.revoke(new Set(await store.keys.revokedSince(clock() - REVOKED_WITHIN))),
    )
    const { quotas } = store
    if (quotas !== null) repeat(FORGET_QUOTAS_EVERY, () => quotas.deleteExpired(clock()))
    repeat(FORGET_EVERY, () => store.idempotency.deleteExpired(clock() - REMEMBER_FOR))
    running.defer(() =>
      keepUsage(store, usage).catch((error: unknown) => logger.warn({ err: error }, 'usage could not be kept')),
    )
    dependencies.inStepAt = () => follower.inStepAt
    dependencies.store = store
    dependencies.archive = archive
    dependencies.recent = recent
    dependencies.streams = streams
    logger.info({ incidents: archive.size, seq: archive.head.seq }, 'ready')
    return { store, archive }
  }

  /** Tries again for as long as the database is away: a service that starts before its database must not need a hand. */
  async function untilThere<Value>(attempt: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || stopping.signal.aborted) throw error
        logger.warn({ err: error }, 'the database is away; trying again')
      }
      await wait(RETRY_STORE_EVERY, undefined, { signal: stopping.signal })
    }
  }

  async function forgetDeliveries(store: Store): Promise<void> {
    while (!stopping.signal.aborted) {
      if ((await store.deliveries.deleteExpired(clock() - KEEP_DELIVERIES_FOR, FORGET_AT_ONCE)) === 0) return
    }
  }

  function repeat(every: number, work: () => Promise<void>): void {
    const timer = setInterval(() => {
      work().catch((error: unknown) => logger.warn({ err: error }, 'a regular task failed; it will be tried again'))
    }, every)
    running.defer(() => clearInterval(timer))
  }
}

function addressOf(server: FastifyInstance, host: string): string {
  const { port } = server.server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
