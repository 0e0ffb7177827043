import { type Mailer, mailNotice, type Notice } from '../accounts/mail.ts'
import type { Places } from '../domain/places.ts'
import { DISABLED_REASONS, disabledReason, warningsDue } from '../domain/watch-health.ts'
import { random } from '../lib/runtime.ts'
import type { FailingWatch, Store } from '../store/store.ts'
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { FanOut } from './fan-out.ts'
import { Heartbeat, hasEnded, type NodeSchemas } from './heartbeat.ts'
import type { MessageSender } from './send/message.ts'
import { WatchIndex } from './watch-index.ts'

const HEARTBEAT_INTERVAL_MS = 1500

interface WebhookPipelineOptions
  extends Omit<DispatcherOptions, 'random' | 'holdsLeases' | 'yieldsLeases' | 'onFailing'> {
  readonly store: Store
  readonly sender: MessageSender
  readonly places: Places
  /** For notices to the owners of watches; null if no mail server is configured. */
  readonly mailer: Mailer | null
  /** Called after each heartbeat that the store has recorded: it takes writes. */
  readonly onHeartbeat: (heartbeat: Heartbeat) => void
}

export interface WebhookPipeline extends AsyncDisposable {
  /** Messages that were sent and not yet answered. */
  readonly inFlight: number
  /** Whether this process makes the deliveries of new events. */
  readonly leadsFanOut: boolean
  /** Whether this process leaves all work under leases to newer nodes. */
  readonly yieldsLeases: boolean
  readonly schemas: NodeSchemas
}

/** Starts matching, fan-out and sending. */
export async function startWebhookPipeline(options: WebhookPipelineOptions): Promise<WebhookPipeline> {
  const { owner, store, sender, places, clock, runtime, pollIntervalMs, onHeartbeat, onError } = options
  const index = new WatchIndex(store, places, onError)
  // Here and not at the first event: reading a million watches takes seconds.
  await index.catchUp()
  if (index.size.watches > 0) sender.prepare?.()
  const running = new AsyncDisposableStack()
  // Started first and therefore stopped last: it releases the leases that are still held then.
  const heartbeat = running.use(
    await Heartbeat.start(store.owners, {
      clock,
      runtime,
      owner,
      hasEnded,
      intervalMs: HEARTBEAT_INTERVAL_MS,
      onError,
    }),
  )
  const leases = { holdsLeases: () => heartbeat.holdsLeases, yieldsLeases: () => heartbeat.yieldsLeases }
  const onFailing: DispatcherOptions['onFailing'] = (failing) => disableFailingWatches(failing, store, options)
  const dispatcher = running.use(new Dispatcher(store, sender, { ...options, ...leases, random, onFailing }))
  heartbeat.addListener({
    onRecorded: () => {
      dispatcher.resume()
      onHeartbeat(heartbeat)
    },
    onFenced: () => dispatcher.dropLeased(),
    hasUnrecorded: () => dispatcher.hasUnrecorded,
  })
  const fanOut = running.use(
    new FanOut(store, index, { ...leases, owner, clock, runtime, pollIntervalMs, onError, dispatcher }),
  )
  return {
    get leadsFanOut() {
      return fanOut.leads
    },
    get yieldsLeases() {
      return heartbeat.yieldsLeases
    },
    get schemas() {
      return heartbeat.schemas
    },
    get inFlight() {
      return dispatcher.inFlight
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Disables watches whose endpoints are gone or failed for too long, and mails their owners. */
export async function disableFailingWatches(
  failing: readonly FailingWatch[],
  store: Store,
  { clock, mailer, onError }: { clock: () => number; mailer: Mailer | null; onError: (error: unknown) => void },
): Promise<void> {
  const now = clock()
  for (const watch of failing) {
    const mail = await noticeFor(watch, store, now)
    if (mail === null || mailer === null) continue
    // Not awaited: a slow mail server must not delay deliveries.
    mailNotice(store, mailer, watch.accountId, mail, now).catch(onError)
  }
}

/** Null if the owner need not be told. */
async function noticeFor(watch: FailingWatch, store: Store, now: number): Promise<Notice | null> {
  const { accountId, watchId, url, history, gone, warnings } = watch
  const reason = disabledReason(history, gone, now)
  if (reason !== null) {
    const disabled = await store.watches.disable(accountId, watchId, { url, reason: DISABLED_REASONS[reason] }, now)
    return disabled ? disabledMail(watchId, DISABLED_REASONS[reason]) : null
  }
  const due = warningsDue(history, now)
  if (due <= warnings || !(await store.watches.countWarning(watchId, due))) return null
  return warningMail(watchId, history.failingSince!)
}

function disabledMail(id: string, reason: string): Notice {
  return {
    subject: 'A watch of yours was switched off',
    text: `${reason}\n\nNothing more is sent for the watch ${id}. Once its endpoint is back, resume it and recover what it missed:\n\n  PATCH /v1/watches/${id} {"status": "active"}\n  POST /v1/watches/${id}/recover {"since": "7d"}\n`,
  }
}

function warningMail(id: string, failingSince: number): Notice {
  return {
    subject: 'A watch of yours is failing',
    text: `Every message of the watch ${id} has failed since ${new Date(failingSince).toISOString()}. It is switched off after five days of failures. GET /v1/watches/${id}/deliveries shows what your endpoint answered.\n`,
  }
}
