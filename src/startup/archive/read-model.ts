import type { Logger } from 'pino'
import type { AppliedEvent, Archive } from '../../archive/archive.ts'
import { Follower, Freshness } from '../../event-log/follower.ts'
import { RecentEvents } from '../../event-log/recent-events.ts'
import type { Store } from '../../store/store.ts'
import type { StreamLimits } from '../../streams/stream-connection.ts'
import { Streams } from '../../streams/streams.ts'
import type { RetryStore } from '../retry-store.ts'
import { ArchiveKeeper, type KeepingOptions } from './archive-keeper.ts'

const POLL_LOG_INTERVAL_MS = 1000

/** The memory that serves reads, kept up to date from the event log. */
export interface ReadModel extends AsyncDisposable {
  readonly archive: Archive
  readonly recent: RecentEvents<AppliedEvent>
  readonly streams: Streams
  readonly freshness: Freshness
  /**
   * Deletes what is saved of the archive, with all content that it has had; it is saved anew later.
   */
  eraseSaved(): Promise<void>
}

export interface ReadModelOptions {
  readonly clock: () => number
  readonly logger: Logger
  readonly retryStore: RetryStore
  readonly streams: Partial<StreamLimits> | undefined
  /** Where the archive is saved; null if it is not. */
  readonly savedIn: string | null
  readonly keeping: Partial<KeepingOptions> | undefined
}

/** Loads the archive, then passes each event of the log to archive, recent events and streams. */
export async function startReadModel(store: Store, options: ReadModelOptions): Promise<ReadModel> {
  const { clock, logger } = options
  const running = new AsyncDisposableStack()
  const keeper = running.use(ArchiveKeeper.open(options.savedIn, { store, logger }, options.keeping))
  let archive: Archive
  try {
    archive = await options.retryStore(() => keeper.load())
  } catch (error) {
    await running.disposeAsync()
    throw error
  }
  const recent = new RecentEvents<AppliedEvent>(archive.head.seq)
  const freshness = new Freshness({ clock, elapsed: () => performance.now() })
  const streams = running.use(
    new Streams(
      {
        archive,
        recent,
        log: store.events,
        freshness,
        clock,
        random: Math.random,
        onError: (error) => logger.warn({ err: error }, 'a stream was closed because of an error'),
      },
      options.streams,
    ),
  )
  running.use(
    new Follower(archive, store.events, {
      freshness,
      pollEvery: POLL_LOG_INTERVAL_MS,
      onEvents: (events) => {
        keeper.onEvents(events)
        recent.addEvents(events)
        streams.publish(events)
      },
      onError: (error) => logger.warn({ err: error }, 'the event log cannot be read'),
    }),
  )
  return {
    archive,
    recent,
    streams,
    freshness,
    eraseSaved: () => keeper.erase(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
