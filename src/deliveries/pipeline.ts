import type { Mailer } from '../accounts/mail.ts'
import type { Places } from '../domain/places.ts'
import type { Store } from '../store/store.ts'
import { ClockRollbackDetector } from './clock-rollback.ts'
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { disableFailingWatches } from './failing-watches.ts'
import { FanOut } from './fan-out.ts'
import { Heartbeat, hasEnded } from './heartbeat.ts'
import type { MessageSender } from './send/message.ts'
import { WatchIndex } from './watch-index.ts'

const HEARTBEAT_INTERVAL_MS = 1500

interface WebhookPipelineOptions extends Omit<DispatcherOptions, 'random' | 'holdsLeases' | 'onFailing'> {
  readonly store: Store
  readonly sender: MessageSender
  readonly places: Places
  /** For notices to the owners of watches; null if no mail server is configured. */
  readonly mailer: Mailer | null
}

export interface WebhookPipeline extends AsyncDisposable {
  /** Messages that were sent and not yet answered. */
  readonly inFlight: number
}

/** Starts matching, fan-out and sending. */
export async function startWebhookPipeline(options: WebhookPipelineOptions): Promise<WebhookPipeline> {
  const { owner, store, sender, places, clock, pollIntervalMs, onError } = options
  const index = new WatchIndex(store, places, onError)
  // Here and not at the first event: reading a million watches takes seconds.
  await index.catchUp()
  if (index.size.watches > 0) sender.prepare?.()
  const running = new AsyncDisposableStack()
  // Started first and therefore stopped last: it releases the leases that are still held then.
  const elapsed = () => performance.now()
  const clocks = { clock, elapsed, machineClock: Date.now }
  const heartbeat = running.use(
    await Heartbeat.start(store.owners, { ...clocks, owner, hasEnded, intervalMs: HEARTBEAT_INTERVAL_MS, onError }),
  )
  const holdsLeases = () => heartbeat.holdsLeases
  const onFailing: DispatcherOptions['onFailing'] = (failing) => disableFailingWatches(failing, store, options)
  const dispatcher = running.use(
    new Dispatcher(store, sender, { ...options, random: Math.random, holdsLeases, onFailing }),
  )
  heartbeat.addListener({ onRecorded: () => dispatcher.resume(), onFenced: () => dispatcher.dropLeased() })
  const onRollback = (by: number) => store.deliveries.reschedule(by, clock())
  running.use(new ClockRollbackDetector({ clock, elapsed, intervalMs: pollIntervalMs, onRollback, onError }))
  running.use(new FanOut(store, index, { owner, clock, pollIntervalMs, holdsLeases, onError, dispatcher }))
  return {
    get inFlight() {
      return dispatcher.inFlight
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
