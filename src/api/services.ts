import type { DeletedAccounts } from '../accounts/key-cache.ts'
import type { MapKey } from '../accounts/keys.ts'
import type { Mailer } from '../accounts/mail.ts'
import type { UsageMeter } from '../accounts/usage-meter.ts'
import type { Archive } from '../archive/archive.ts'
import type { SlicedQueries } from '../archive/sliced-queries.ts'
import type { Config } from '../config/settings.ts'
import type { PurgeOutcome } from '../deliveries/cache-purge.ts'
import type { ChannelSettings, ConfiguredChannels } from '../deliveries/channels/channel-request.ts'
import type { Guard } from '../deliveries/guard/guard.ts'
import { isOutdated, type NodeSchemas } from '../deliveries/heartbeat.ts'
import type { Listener } from '../deliveries/listening.ts'
import type { MailSender } from '../deliveries/send/mail-sender.ts'
import type { MessageSender } from '../deliveries/send/message.ts'
import type { RedactionCleanup } from '../desk/redaction.ts'
import type { PollListener } from '../desk/sources/poller.ts'
import { Problem } from '../domain/errors.ts'
import type { ChannelKind } from '../domain/watch.ts'
import type { Freshness, RecentEvents } from '../event-log/follower.ts'
import type { Positions } from '../event-log/positions.ts'
import type { Geography } from '../geo/geography.ts'
import type { AgingClock, Runtime } from '../lib/runtime.ts'
import { type AttemptResult, NewerSchema, type Store } from '../store/store.ts'
import type { DeskStreams } from '../streams/desk-streams.ts'
import type { ListeningStreams } from '../streams/listening-streams.ts'
import type { Streams } from '../streams/streams.ts'
import type { Tracing } from '../tracing/tracer.ts'
import type { MapAssets } from './web-assets.ts'

/** `sinceCommit`: milliseconds from the event's commit; null if nothing was delivered. */
type AttemptListener = (result: AttemptResult, sinceCommit: number | null, channel: ChannelKind) => void

/** `refused`: an address has asked for more keys than SIGNUPS_PER_HOUR. */
export const SIGN_UP_STEPS = ['mailed', 'opened', 'refused'] as const
type SignUpStep = (typeof SIGN_UP_STEPS)[number]

/** The parts that exist before the server accepts its first request. */
export interface Environment {
  readonly config: Config
  readonly version: string
  readonly geography: Geography
  readonly clock: () => number
  /** Tells how old things are, for what is deleted or given up because of its age. */
  readonly aging: AgingClock
  /** Timers and chance. */
  readonly runtime: Runtime
  /** Events that the database had lost before this start, as this process knows. */
  readonly lostEvents: number
  readonly mailer: Mailer | null
  /** Sends the mails of watches; null if no mail server is configured. */
  readonly mails: MailSender | null
  /** Null if the map has not been built. */
  readonly mapAssets: MapAssets | null
  /** Decides to which addresses webhooks may be sent. */
  readonly guard: Guard
  readonly sender: MessageSender & AsyncDisposable
  /** The channels of messages for people, and the words besides the incident. */
  readonly channels: ConfiguredChannels
  readonly usage: UsageMeter
  readonly deletedAccounts: DeletedAccounts
  /** Answers questions to the archive without holding up the event loop. */
  readonly queries: SlicedQueries
  /** Called after every delivery attempt; metrics add a listener. */
  readonly attemptListeners: Set<AttemptListener>
  /** Called after every poll of a news source; metrics add a listener. */
  readonly pollListeners: Set<PollListener>
  /** Called whenever caches were told of corrections, or could not be. */
  readonly purgeListeners: Set<(outcome: PurgeOutcome) => void>
  /** Called at every step of a sign-up; metrics add a listener. */
  readonly signUpListeners: Set<(step: SignUpStep) => void>
  /** Null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
  readonly tracing: Tracing | null
  /** The clients' address. A function: the port is known only once the server listens. */
  readonly publicUrl: () => string
}

export function publishSignUp({ signUpListeners }: Pick<Environment, 'signUpListeners'>, step: SignUpStep): void {
  for (const listener of signUpListeners) listener(step)
}

/** The parts that exist once the database is open and the archive is loaded. */
export interface Services {
  readonly store: Store
  readonly archive: Archive
  readonly recent: RecentEvents
  readonly streams: Streams
  readonly deskStreams: DeskStreams
  readonly listeningStreams: ListeningStreams<Listener>
  readonly mapKey: MapKey
  readonly freshness: Freshness
  readonly positions: Positions
  readonly redactionCleanup: RedactionCleanup
  /** All that sending messages for people needs. */
  readonly channels: ChannelSettings
  /** Whether this node holds the lease of the fan-out. */
  leadsFanOut(): boolean
  /** The schema of the database, and those that the nodes know. */
  schemas(): NodeSchemas
}

/** A node that drains serves as before, but `/readyz` sends load balancers to others. */
export type Phase =
  | { readonly phase: 'starting'; readonly reason?: string }
  | { readonly phase: 'ready' | 'draining'; readonly services: Services }

/** Throws 503 `starting` until the services are ready. */
export function requireServices(phase: Phase, detail = 'The database is being opened.'): Services {
  if (phase.phase !== 'starting') return phase.services
  throw new Problem('starting', phase.reason ?? detail, { headers: { 'retry-after': '2' } })
}

/** Why this node must not write to the database any more; null if it may. */
export function refusalToWrite(phase: Phase): NewerSchema | null {
  const schemas = servicesIfReady(phase)?.schemas()
  return schemas !== undefined && isOutdated(schemas) ? new NewerSchema(outdatedReason(schemas)) : null
}

export function outdatedReason({ own, database }: NodeSchemas): string {
  return `The database has schema version ${database.version}, for builds that know ${database.needs} or later; this node knows up to ${own}`
}

export function servicesIfReady(current: Phase): Services | null {
  return current.phase === 'starting' ? null : current.services
}
