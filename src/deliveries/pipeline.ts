import type { Mailer } from '../accounts/mail.ts'
import type { ChannelKind } from '../domain/channel.ts'
import type { Places } from '../domain/places.ts'
import type { AttemptResult, Store } from '../store/store.ts'
import type { ChannelSettings } from './channels/channel-request.ts'
import { ClockRollbackDetector } from './clock-rollback.ts'
import { disableFailingWatches } from './dispatch/disable-failing-watches.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { FanOut } from './fan-out.ts'
import { Heartbeat, hasEnded } from './heartbeat.ts'
import type { MailSender } from './send/mail-sender.ts'
import type { MessageSender } from './send/message.ts'
import { WatchIndex } from './watch-index.ts'

const HEARTBEAT_INTERVAL_MS = 1500

export interface WebhookPipelineOptions {
  /** The name of this process, under which it holds leases. */
  readonly owner: string
  readonly store: Store
  readonly sender: MessageSender
  readonly places: Places
  readonly mailer: Mailer | null
  /** For the messages of watches. */
  readonly mails: MailSender | null
  readonly isAccountDeleted: (accountId: string) => boolean
  readonly channels: ChannelSettings
  readonly clock: () => number
  /** ALERTS_PER_HOUR */
  readonly alertsPerHour: number
  readonly concurrency: number
  readonly perHost: number
  readonly pollIntervalMs: number
  readonly onError: (error: unknown) => void
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null, channel: ChannelKind) => void
}

export interface WebhookPipeline extends AsyncDisposable {
  /** Messages that were sent and not yet answered. */
  readonly inFlight: number
}

/** Starts matching, fan-out and sending. */
export async function startWebhookPipeline(options: WebhookPipelineOptions): Promise<WebhookPipeline> {
  const { owner, store, sender, places, clock, pollIntervalMs: pollEvery, onError } = options
  const index = new WatchIndex(store, places, onError)
  // Here and not at the first event: reading a million watches takes seconds.
  await index.catchUp()
  if (index.size.watches > 0) sender.prepare?.()
  const running = new AsyncDisposableStack()
  // Started first and therefore stopped last: it releases the leases that are still held then.
  const elapsed = () => performance.now()
  const heartbeat = running.use(
    await Heartbeat.start(store.owners, {
      owner,
      clock,
      elapsed,
      machineClock: Date.now,
      hasEnded,
      intervalMs: HEARTBEAT_INTERVAL_MS,
      onError,
    }),
  )
  const holdsLeases = () => heartbeat.holdsLeases
  const dispatcher = running.use(
    new Dispatcher(store, sender, {
      ...options,
      random: Math.random,
      holdsLeases,
      onFailing: (failing) => disableFailingWatches(failing, store, options),
    }),
  )
  heartbeat.addListener({ onRecorded: () => dispatcher.resume(), onFenced: () => dispatcher.dropLeased() })
  running.use(
    new ClockRollbackDetector({
      clock,
      elapsed,
      intervalMs: pollEvery,
      onRollback: (by) => store.deliveries.reschedule(by, clock()),
      onError,
    }),
  )
  running.use(
    new FanOut(store, index, {
      owner,
      clock,
      pollIntervalMs: pollEvery,
      holdsLeases,
      onError,
      dispatcher,
      onLeased: (dispatches, events, leasedUntil, readAt) =>
        dispatcher.sendLeased(dispatches, events, leasedUntil, readAt),
    }),
  )
  return {
    get inFlight() {
      return dispatcher.inFlight
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
