import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import { DeletedAccounts } from '../accounts/key-cache.ts'
import { smtpMailer } from '../accounts/mail.ts'
import { UsageMeter } from '../accounts/usage-meter.ts'
import type { LineDestination } from '../api/request-log.ts'
import type { ConnectionTimeouts } from '../api/server.ts'
import type { Environment } from '../api/services.ts'
import { builtMapAssets } from '../api/web-assets.ts'
import { SlicedQueries } from '../archive/sliced-queries.ts'
import type { Config } from '../config/settings.ts'
import type { Guard } from '../deliveries/guard/guard.ts'
import { resolvedNames } from '../deliveries/guard/name-resolver.ts'
import { smtpSender } from '../deliveries/send/mail-sender.ts'
import { SendingThread } from '../deliveries/send/sending-thread.ts'
import { WebhookSender } from '../deliveries/send/webhook-sender.ts'
import type { FeedReader } from '../desk/sources/feed-reader.ts'
import type { FeedFetcher } from '../desk/sources/fetch-feed.ts'
import { readBoundaries } from '../geo/boundaries.ts'
import { openGeography } from '../geo/geography.ts'
import { readRoads } from '../geo/roads.ts'
import { AgingClock, type Runtime } from '../lib/runtime.ts'
import type { StoreOptions } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { StreamLimits } from '../streams/stream-connection.ts'
import { startTracing } from '../tracing/tracer.ts'
import { VERSION } from '../version.ts'
import type { KeepingOptions } from './archive-keeper.ts'
import { channelSettings } from './channels.ts'
import type { StopTimeouts } from './stopping.ts'

/**
 * Makes the parts that requests need before the store is open. `urlOfServer` is known once the
 * server listens.
 */
export function prepareEnvironment(
  config: Config,
  clock: () => number,
  runtime: Runtime,
  options: StartOptions,
  logger: Logger,
  urlOfServer: () => string,
): Environment {
  const boundaries = config.LGA_BOUNDARIES === null ? null : readBoundaries(config.LGA_BOUNDARIES)
  for (const note of boundaries?.notes ?? []) logger.warn(`LGA_BOUNDARIES: ${note}`)
  const roads = config.MAP_ROADS === null ? null : readRoads(config.MAP_ROADS)
  for (const note of roads?.notes ?? []) logger.warn(`MAP_ROADS: ${note}`)
  const guard = { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, ...resolvingNames(config, options) }
  const mapAssets = builtMapAssets()
  if (mapAssets === null)
    logger.warn('the map has not been built, so / shows a plain list; build it with: npm run build')
  return {
    config,
    version: VERSION,
    geography: openGeography(boundaries, roads),
    clock,
    aging: new AgingClock({ clock, elapsed: runtime.elapsed }),
    runtime,
    lostEvents: options.lostEvents ?? 0,
    ...mailParts(config, options),
    mapAssets,
    guard,
    sender: options.edges?.sender ?? messageSender(config, options, guard, logger),
    usage: new UsageMeter(),
    deletedAccounts: new DeletedAccounts(),
    channels: channelSettings(config, () => config.PUBLIC_URL ?? urlOfServer()),
    queries: new SlicedQueries(),
    attemptListeners: new Set(),
    pollListeners: new Set(),
    purgeListeners: new Set(),
    signUpListeners: new Set(),
    tracing: startTracing(config, { 'service.version': VERSION }, (error, spans) =>
      logger.warn({ err: error, spans }, 'traces could not be sent'),
    ),
    publicUrl: () => config.PUBLIC_URL ?? urlOfServer(),
  }
}

function mailParts({ SMTP_URL, MAIL_FROM }: Config, { edges }: StartOptions): Pick<Environment, 'mailer' | 'mails'> {
  if (edges !== undefined) return edges
  if (SMTP_URL === null) return { mailer: null, mails: null }
  return { mailer: smtpMailer(SMTP_URL, MAIL_FROM), mails: smtpSender(SMTP_URL, MAIL_FROM) }
}

function resolvingNames(config: Config, { lookup }: StartOptions): Pick<Guard, 'lookup' | 'prepare'> {
  return lookup === undefined ? resolvedNames(config.DNS_SERVERS) : { lookup }
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

/** All that the service reaches outside of itself and its database. */
export interface Edges extends Pick<Environment, 'sender' | 'mailer' | 'mails'> {
  readonly fetcher: Pick<FeedFetcher, 'fetch'>
  readonly reader: Pick<FeedReader, 'read'>
}

interface SourceOptions {
  /** Origins that are fetched without the guard: the demo's own feed. */
  readonly trustedOrigins?: readonly string[]
  /** Time between two looks at what is due. */
  readonly intervalMs?: number
  readonly timeoutMs?: number
}

export interface StartOptions {
  /** A simulation has its own; then no port is opened, and requests are injected. */
  readonly edges?: Edges
  readonly clock?: () => number
  /** Time and chance; by default the machine's. */
  readonly runtime?: Runtime
  readonly logger?: Logger
  /** The destination of LOG_REQUESTS; by default the standard output. */
  readonly requestLog?: () => LineDestination
  /** Resolves the host names of webhook endpoints. */
  readonly lookup?: LookupFunction
  readonly sqlite?: StoreOptions['sqlite']
  readonly postgres?: StoreOptions['postgres']
  readonly streams?: Partial<StreamLimits>
  readonly connections?: Partial<ConnectionTimeouts>
  readonly stopping?: Partial<StopTimeouts>
  readonly sources?: SourceOptions
  readonly keeping?: Partial<KeepingOptions>
  /** Events that the database has lost, if the service starts anew because of it. */
  readonly lostEvents?: number
  /** Puts content into the store before the archive is loaded from it. */
  readonly fill?: (store: Store) => Promise<void>
}
