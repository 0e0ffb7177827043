import type { Mailer } from '../accounts/mail/mailer.ts'
import type { Places } from '../domain/places.ts'
import type { AttemptResult, Store } from '../store/store.ts'
import { disableFailing } from './dispatch/disable-failing-watches.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { FanOutRunner } from './fan-out/fan-out.ts'
import { WatchIndex } from './fan-out/watch-index.ts'
import { ClockRollbackDetector } from './process/clock-rollback.ts'
import { Heartbeat } from './process/heartbeat.ts'
import { hasEnded, newProcessName } from './process/process-name.ts'
import type { WebhookSender } from './send/webhook-sender.ts'

const BEAT_EVERY = 1500

export interface WebhookPipelineOptions {
  readonly store: Store
  readonly sender: WebhookSender
  readonly places: Places
  readonly mailer: Mailer | null
  readonly clock: () => number
  readonly concurrency: number
  readonly perHost: number
  readonly pollEvery: number
  readonly onError: (error: unknown) => void
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null) => void
}

/** Everything between the log and the endpoints: watches are matched, deliveries made and sent, until it is disposed of. */
export async function startWebhookPipeline(options: WebhookPipelineOptions): Promise<AsyncDisposable> {
  const { store, sender, places, clock, pollEvery, onError } = options
  const owner = newProcessName()
  const index = new WatchIndex(store.watches, places, onError)
  // Here, not at the first event: reading a million watches takes seconds.
  await index.catchUp()
  const running = new AsyncDisposableStack()
  // First, so that it is the last to stop: what is still held then is let go.
  running.use(await Heartbeat.start(store.owners, { owner, clock, hasEnded, beatEvery: BEAT_EVERY, onError }))
  const dispatcher = running.use(
    new Dispatcher(store, sender, {
      ...options,
      owner,
      random: Math.random,
      onFailing: (failing, gone) => disableFailing(failing, gone, store, options),
    }),
  )
  running.use(
    new ClockRollbackDetector({
      clock,
      elapsed: () => performance.now(),
      lookEvery: pollEvery,
      onSetBack: (by) => store.deliveries.reschedule(by, clock()),
      onError,
    }),
  )
  running.use(
    new FanOutRunner(store, index, {
      owner,
      clock,
      pollEvery,
      onError,
      room: () => dispatcher.room,
      hand: (dispatches, events, leasedUntil) => dispatcher.sendLeased(dispatches, events, leasedUntil),
    }),
  )
  return running
}
