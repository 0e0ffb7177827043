import type { Logger } from 'pino'
import { enforceTotalBounds } from '../accounts/idempotency-bounds.ts'
import type { DeletedAccounts } from '../accounts/key-cache.ts'
import type { MapKey } from '../accounts/keys.ts'
import type { Mailer } from '../accounts/mail.ts'
import { dayOf, flushUsage, type UsageMeter } from '../accounts/usage-meter.ts'
import { removeEndedAlerts } from '../deliveries/alerts/alerts.ts'
import { disableUnseenBrowsers } from '../deliveries/alerts/browsers.ts'
import { finishResuming } from '../deliveries/recover.ts'
import type { RedactionCleanup } from '../desk/redaction.ts'
import { CHALLENGE_LIFETIME_MS } from '../domain/tips.ts'
import { type Runtime, sleep } from '../lib/runtime.ts'
import type { Store } from '../store/store.ts'
import type { DeskStreams } from '../streams/desk-streams.ts'
import type { ListeningStreams } from '../streams/listening-streams.ts'
import type { Streams } from '../streams/streams.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const DELIVERY_CLEANUP_INTERVAL_MS = HOUR_MS
const DELIVERY_CLEANUP_BATCH = 1000
/** A node that was away for longer reads all watches again. */
const REMOVED_WATCH_RETENTION_MS = DAY_MS
const REMOVED_WATCH_BATCH = 1000
const IDEMPOTENCY_CLEANUP_INTERVAL_MS = 5 * 60 * SECOND_MS
const IDEMPOTENCY_CLEANUP_BATCH = 1000
const IDEMPOTENCY_RETENTION_MS = DAY_MS
const QUOTA_CLEANUP_INTERVAL_MS = 60 * SECOND_MS
const UNSEEN_CHECK_INTERVAL_MS = HOUR_MS
const RESUME_CHECK_INTERVAL_MS = 60 * SECOND_MS
const REDACTION_CHECK_INTERVAL_MS = 15 * SECOND_MS
const MAP_KEY_RENEWAL_INTERVAL_MS = HOUR_MS
const ACCOUNT_CLEANUP_INTERVAL_MS = HOUR_MS
/** A revoked or expired key is listed for this long; afterwards it is unknown. */
const KEY_RETENTION_MS = 90 * DAY_MS
const KEY_CLEANUP_BATCH = 1000
/** Ended sessions stay for the revocation poll; expired links, to be told from unknown ones. */
const SESSION_RETENTION_MS = HOUR_MS
const SESSION_CLEANUP_BATCH = 1000
const LINK_RETENTION_MS = DAY_MS
const TIP_CLEANUP_INTERVAL_MS = HOUR_MS
const ALERT_CLEANUP_INTERVAL_MS = HOUR_MS
const TIP_CLEANUP_BATCH = 1000
const ITEM_CLEANUP_INTERVAL_MS = HOUR_MS
/** After a feed has last shown an item; then it would be taken for a new one. */
const ITEM_RETENTION_MS = 90 * DAY_MS
const ITEM_CLEANUP_BATCH = 500
const DESK_ENTRY_BATCH = 500
const AUDIT_CLEANUP_INTERVAL_MS = HOUR_MS
const AUDIT_CLEANUP_BATCH = 1000
const LINK_INTERVAL_MS = 5 * SECOND_MS
/** Confirmations wait meanwhile, for some milliseconds. */
const LINK_BATCH = 250
const LINK_PAUSE_MS = 10
const USAGE_FLUSH_INTERVAL_MS = 5 * SECOND_MS
/** A stream ends at most this long after its key is revoked, on any node. */
const REVOCATION_POLL_INTERVAL_MS = SECOND_MS
/** Exceeds the poll interval: clocks may be behind, and just admitted streams must close too. */
const REVOCATION_LOOK_BACK_MS = 60 * SECOND_MS

interface MaintenanceParts {
  readonly store: Store
  readonly streams: Streams
  readonly deskStreams: DeskStreams
  readonly listeningStreams: Pick<ListeningStreams<unknown>, 'revoke'>
  readonly mapKey: MapKey
  readonly usage: UsageMeter
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null
  readonly deletedAccounts: DeletedAccounts
  /** TIP_CONTACT_DAYS */
  readonly tipContactDays: number
  /** AUDIT_DAYS, USAGE_DAYS and DELIVERY_LOG_DAYS */
  readonly keptDays: { readonly audit: number; readonly usage: number; readonly deliveries: number }
  readonly redactionCleanup: RedactionCleanup
  /** Whether the database needs a newer build, which does all this then. */
  readonly isOutdated: () => boolean
  /** Whether nodes write that do not know of the log's chain. */
  readonly hasOldNodes: () => boolean
  readonly clock: () => number
  /** Tells how old things are. */
  readonly agingClock: () => number
  readonly runtime: Runtime
  readonly logger: Logger
}

/** Runs the repeating tasks until disposed of. */
export function startMaintenance(parts: MaintenanceParts): AsyncDisposable {
  const {
    store,
    streams,
    deskStreams,
    listeningStreams,
    mapKey,
    usage,
    mailer,
    deletedAccounts,
    tipContactDays,
    keptDays,
    redactionCleanup,
    isOutdated,
    hasOldNodes,
    clock,
    agingClock,
    runtime,
    logger,
  } = parts
  const stopping = new AbortController()
  const running = new AsyncDisposableStack()
  running.defer(() =>
    flushUsage(store, usage).catch((error: unknown) => logger.warn({ err: error }, 'usage could not be stored')),
  )
  const { quotas } = store
  /** Neither a clock that jumps ahead nor an outage may leave a revocation out. */
  let polledAt = clock()
  let isLinking = false
  const onMailError = (error: unknown) => logger.warn({ err: error }, 'a notice could not be mailed')

  repeat(DELIVERY_CLEANUP_INTERVAL_MS, deleteOldDeliveries)
  repeat(DELIVERY_CLEANUP_INTERVAL_MS, pruneRemovedWatches)
  repeat(IDEMPOTENCY_CLEANUP_INTERVAL_MS, deleteOldAnswers)
  repeat(RESUME_CHECK_INTERVAL_MS, () => finishResuming(store, clock()))
  repeat(UNSEEN_CHECK_INTERVAL_MS, () => disableUnseenBrowsers(store, mailer, agingClock(), onMailError))
  repeat(REDACTION_CHECK_INTERVAL_MS, () => redactionCleanup.run())
  if (quotas !== null) repeat(QUOTA_CLEANUP_INTERVAL_MS, () => quotas.deleteExpired(clock()))
  repeat(MAP_KEY_RENEWAL_INTERVAL_MS, () => mapKey.renew(store, clock()))
  repeat(ACCOUNT_CLEANUP_INTERVAL_MS, deleteOldKeysAndMailCounts)
  repeat(ACCOUNT_CLEANUP_INTERVAL_MS, deleteOldSessions)
  repeat(TIP_CLEANUP_INTERVAL_MS, deleteOldTips)
  repeat(ALERT_CLEANUP_INTERVAL_MS, () => removeEndedAlerts(store, agingClock()))
  repeat(ITEM_CLEANUP_INTERVAL_MS, deleteOldItems)
  repeat(AUDIT_CLEANUP_INTERVAL_MS, deleteOldAudit)
  repeat(LINK_INTERVAL_MS, linkEvents)
  repeat(USAGE_FLUSH_INTERVAL_MS, () => flushUsage(store, usage))
  repeat(REVOCATION_POLL_INTERVAL_MS, async () => {
    const now = clock()
    const since = Math.min(polledAt, now) - REVOCATION_LOOK_BACK_MS
    const [keys, sessions, accounts] = await Promise.all([
      store.keys.revokedSince(since),
      store.sessions.endedSince(since),
      store.accounts.deletedSince(since),
    ])
    polledAt = now
    deletedAccounts.add(accounts)
    const revoked = new Set([...keys, ...sessions])
    streams.revoke(revoked)
    deskStreams.revoke(revoked)
    listeningStreams.revoke(revoked)
  })
  run(addMissingDeskEntries)
  run(deleteOldTips)
  running.defer(() => stopping.abort())
  return running

  async function deleteOldKeysAndMailCounts(): Promise<void> {
    await store.mails.deleteBefore(dayOf(agingClock() - DAY_MS))
    while (!stopping.signal.aborted) {
      const deleted = await store.keys.deleteDead(agingClock() - KEY_RETENTION_MS, KEY_CLEANUP_BATCH)
      if (deleted === 0) return
    }
  }

  async function deleteOldSessions(): Promise<void> {
    await store.signInLinks.deleteExpired(agingClock() - LINK_RETENTION_MS)
    while (!stopping.signal.aborted) {
      const deleted = await store.sessions.deleteExpired(agingClock() - SESSION_RETENTION_MS, SESSION_CLEANUP_BATCH)
      if (deleted < SESSION_CLEANUP_BATCH) return
    }
  }

  /** A challenge that has expired is refused without a look at those that were used. */
  async function deleteOldTips(): Promise<void> {
    while (!stopping.signal.aborted) {
      const now = agingClock()
      const received = now - tipContactDays * DAY_MS
      if ((await store.tips.deleteExpired(received, now - 2 * CHALLENGE_LIFETIME_MS, TIP_CLEANUP_BATCH)) === 0) return
    }
  }

  async function deleteOldAudit(): Promise<void> {
    const before = dayOf(agingClock() - keptDays.usage * DAY_MS)
    while (!stopping.signal.aborted && (await store.usage.deleteBefore(before, AUDIT_CLEANUP_BATCH)) > 0);
    if (keptDays.audit === 0) return
    const time = agingClock() - keptDays.audit * DAY_MS
    while (!stopping.signal.aborted && (await store.audit.deleteBefore(time, AUDIT_CLEANUP_BATCH)) > 0);
  }

  async function deleteOldItems(): Promise<void> {
    const before = agingClock() - ITEM_RETENTION_MS
    while (!stopping.signal.aborted && (await store.sources.deleteExpired(before, ITEM_CLEANUP_BATCH)) > 0);
  }

  async function deleteOldDeliveries(): Promise<void> {
    while (!stopping.signal.aborted) {
      const deleted = await store.deliveries.deleteExpired(
        agingClock() - keptDays.deliveries * DAY_MS,
        DELIVERY_CLEANUP_BATCH,
      )
      if (deleted === 0) return
    }
  }

  async function deleteOldAnswers(): Promise<void> {
    while (!stopping.signal.aborted) {
      const before = agingClock() - IDEMPOTENCY_RETENTION_MS
      if ((await store.idempotency.deleteExpired(before, IDEMPOTENCY_CLEANUP_BATCH)) === 0) break
    }
    if (!stopping.signal.aborted) await enforceTotalBounds(store.idempotency)
  }

  async function pruneRemovedWatches(): Promise<void> {
    const prune = () =>
      store.watches.pruneRemoved(clock(), agingClock() - REMOVED_WATCH_RETENTION_MS, REMOVED_WATCH_BATCH)
    while (!stopping.signal.aborted && (await prune()) === REMOVED_WATCH_BATCH);
  }

  /** Reports that were saved by an older version are not in the queue yet. */
  async function addMissingDeskEntries(): Promise<void> {
    while (!stopping.signal.aborted && (await store.desk.addMissing(DESK_ENTRY_BATCH)) > 0);
  }

  /** Events before the chain get their links here: of millions, in minutes. */
  async function linkEvents(): Promise<void> {
    if (isLinking || hasOldNodes()) return
    isLinking = true
    try {
      while (!stopping.signal.aborted && (await store.chain.linkMore(LINK_BATCH, clock())) > 0)
        await sleep(runtime, LINK_PAUSE_MS)
    } finally {
      isLinking = false
    }
  }

  function repeat(intervalMs: number, task: () => Promise<void>): void {
    const timer = runtime.setInterval(() => run(task), intervalMs)
    running.defer(() => runtime.clear(timer))
  }

  function run(task: () => Promise<void>): void {
    if (isOutdated()) return
    task().catch((error: unknown) => logger.warn({ err: error }, 'a maintenance task failed; it will run again'))
  }
}
