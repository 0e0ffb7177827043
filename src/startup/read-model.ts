import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { AppliedEvent, Archive } from '../archive/archive.ts'
import { SavedArchive } from '../archive/saved/saved-archive.ts'
import type { Config } from '../config/settings.ts'
import { Follower, Freshness, RecentEvents } from '../event-log/follower.ts'
import { type Runtime, random } from '../lib/runtime.ts'
import { snapshotFolderOf } from '../store/files.ts'
import { isPostgres, sqlitePathOf } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { StreamLimits } from '../streams/stream-connection.ts'
import { Streams } from '../streams/streams.ts'
import { ArchiveKeeper, type KeepingOptions } from './archive-keeper.ts'
import type { RetryStore } from './clock.ts'

const POLL_LOG_INTERVAL_MS = 1000

/** The memory that serves reads, kept up to date from the event log. */
interface ReadModel extends AsyncDisposable {
  readonly archive: Archive
  readonly recent: RecentEvents<AppliedEvent>
  readonly streams: Streams
  readonly freshness: Freshness
  /**
   * Deletes what is saved of the archive, with all content that it has had; it is saved anew later.
   */
  eraseSaved(): Promise<void>
}

interface ReadModelOptions {
  readonly clock: () => number
  readonly runtime: Runtime
  readonly logger: Logger
  readonly retryStore: RetryStore
  readonly streams: Partial<StreamLimits> | undefined
  /** The folder of the saved archive; null if it is not saved. */
  readonly savedIn: string | null
  readonly keeping: Partial<KeepingOptions> | undefined
  /** Told once if the log has lost what the archive has. */
  readonly onLost: () => void
}

/** Loads the archive, then passes each event of the log to archive, recent events and streams. */
export async function startReadModel(store: Store, options: ReadModelOptions): Promise<ReadModel> {
  const { clock, runtime, logger } = options
  const running = new AsyncDisposableStack()
  const keeper = running.use(ArchiveKeeper.open(options.savedIn, { store, runtime, logger }, options.keeping))
  let archive: Archive
  try {
    archive = await options.retryStore(() => keeper.load())
  } catch (error) {
    await running.disposeAsync()
    throw error
  }
  const recent = new RecentEvents<AppliedEvent>(archive.head)
  const freshness = new Freshness({ clock, elapsed: runtime.elapsed })
  const streams = running.use(
    new Streams(
      {
        archive,
        recent,
        log: { after: (...values) => store.reader.after(...values), documentBefore: store.events.documentBefore },
        freshness,
        clock,
        runtime,
        random,
        onError: (error) => logger.warn({ err: error }, 'a stream was closed because of an error'),
      },
      options.streams,
    ),
  )
  running.use(
    new Follower(archive, store.reader, {
      freshness,
      runtime,
      pollEvery: POLL_LOG_INTERVAL_MS,
      onEvents: (events) => {
        keeper.onEvents(events)
        recent.addEvents(events)
        streams.publish(events)
      },
      onLost: options.onLost,
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

const NOTHING = 'none'
/** A folder of its own: everything else in it is deleted. */
const SUBFOLDER = 'archive'

/**
 * Returns where this node saves its archive, or null. Deletes what it saved where it no longer
 * does.
 */
export async function prepareSavedFolder(config: Config, logger: Logger): Promise<string | null> {
  const beside = besideDatabase(config.DATABASE_URL)
  if (config.CACHE_DIR === null) return beside
  if (beside !== null) await removeSaved(beside, logger)
  return config.CACHE_DIR === NOTHING ? null : join(config.CACHE_DIR, SUBFOLDER)
}

function besideDatabase(databaseUrl: string): string | null {
  return isPostgres(databaseUrl) ? null : snapshotFolderOf(sqlitePathOf(databaseUrl))
}

/** Redactions would not reach it. */
async function removeSaved(folder: string, logger: Logger): Promise<void> {
  if (!existsSync(folder)) return
  try {
    using lock = SavedArchive.open(folder)
    if (lock === null) throw new Error('another process uses it')
    await rm(folder, { recursive: true })
  } catch (error) {
    logger.error({ err: error, folder }, 'the saved archive is not used any more, and could not be deleted')
  }
}
