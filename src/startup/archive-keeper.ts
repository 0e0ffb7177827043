import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { Archive } from '../archive/archive.ts'
import { SLAB_BYTES } from '../archive/documents/document-store.ts'
import { THREADS_FROM } from '../archive/loading/scan.ts'
import { SavedArchive } from '../archive/saved/saved-archive.ts'
import { runInSlices } from '../lib/concurrency.ts'
import { type Runtime, sleep, type Timer } from '../lib/runtime.ts'
import type { Incidents, LogEvent, Store } from '../store/store.ts'

export interface KeepingOptions {
  /** A smaller archive is loaded from the store in less than half a second. */
  readonly minIncidents: number
  /** Applying this many events takes about a second. */
  readonly eventsBetweenSaves: number
  /** Time for requests that have waited for the start. */
  readonly firstSaveAfterMs: number
  readonly saveAtStopMs: number
  /** Documents that stay in memory, the newest; the others are read from the files. */
  readonly documentBytes: number
  readonly slabBytes: number
  /** A smaller archive is scanned before a thread has started. */
  readonly threadsFrom: number
}

const KEEPING: KeepingOptions = {
  minIncidents: 20_000,
  eventsBetweenSaves: 20_000,
  firstSaveAfterMs: 5_000,
  saveAtStopMs: 1_500,
  documentBytes: Number.POSITIVE_INFINITY,
  slabBytes: SLAB_BYTES,
  threadsFrom: THREADS_FROM,
}
const CHECK_INTERVAL_MS = 1_000
/** Saving takes a twentieth of the time at most, however many redactions there are. */
const WAIT_PER_DURATION = 19
const WAIT_AFTER_FAILURE_MS = 600_000
const EVENTS_WORTH_SAVING_AT_STOP = 1_000

type Parts = {
  readonly store: Pick<Store, 'incidents' | 'events' | 'reader'>
  readonly runtime: Runtime
  readonly logger: Logger
}

/** Loads the archive from its saved files if they fit the log, and saves it from time to time. */
export class ArchiveKeeper implements AsyncDisposable {
  readonly #saved: SavedArchive | null
  readonly #parts: Parts
  readonly #options: KeepingOptions
  readonly #timer: Timer
  #archive: Archive | null = null
  #notBefore = 0
  #saving: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null
  #discarding: Promise<void> = Promise.resolve()
  readonly #stopping = new AbortController()
  #restoring: Promise<void> | null = null

  private constructor(saved: SavedArchive | null, parts: Parts, options: KeepingOptions) {
    this.#saved = saved
    this.#parts = parts
    this.#options = options
    this.#timer = parts.runtime.setInterval(() => this.#saveIfDue(), CHECK_INTERVAL_MS)
  }

  /** Without a folder, or one that cannot be used, the archive is loaded from the store. */
  static open(folder: string | null, parts: Parts, options: Partial<KeepingOptions> = {}): ArchiveKeeper {
    const all = { ...KEEPING, ...options }
    return new ArchiveKeeper(openFolder(folder, all, parts.logger), parts, all)
  }

  /** Loads the archive; to be repeated if the store cannot be reached. */
  async load(): Promise<Archive> {
    const { store, logger } = this.#parts
    const onUnusable = (reason: unknown) =>
      logger.warn({ err: reason }, 'the saved archive cannot be used and is deleted; loading from the database')
    const loaded = await this.#saved?.load(store.events, onUnusable)
    const archive = loaded ?? (await this.#loadFromStore())
    archive.onDamage((error) => this.#restore(archive, error))
    if (loaded) logger.info({ incidents: archive.size, seq: archive.head.seq }, 'loaded the saved archive')
    this.#notBefore = this.#parts.runtime.elapsed() + this.#options.firstSaveAfterMs
    this.#archive = archive
    this.#buildIndexes(archive)
    return archive
  }

  /** Does not hold up the start: a question that comes first builds what it needs. */
  #buildIndexes(archive: Archive): void {
    const { signal } = this.#stopping
    runInSlices(archive.buildIndexes(), 'building indexes', signal).catch((error: unknown) => {
      if (!signal.aborted) this.#parts.logger.error({ err: error }, 'the indexes of the archive could not be built')
    })
  }

  /** The words of a redacted text are found no longer; this takes them out of the memory. */
  #forgetWords(): void {
    const { signal } = this.#stopping
    if (this.#archive === null) return
    runInSlices(this.#archive.compactWords(), 'forgetting words', signal).catch((error: unknown) => {
      if (!signal.aborted) this.#parts.logger.error({ err: error }, 'redacted words could not be taken out of memory')
    })
  }

  async #loadFromStore(): Promise<Archive> {
    const { store, logger } = this.#parts
    const onFull = (error: unknown) =>
      logger.warn({ err: error }, 'older documents cannot be written to files and stay in memory')
    using _ = countBuffersWithObjects()
    const documents = this.#saved?.newDocuments(onFull)
    return await Archive.load(await store.reader.snapshot(), documents, this.#options.threadsFrom)
  }

  /** To be called with all events that were applied, in the turn in which they were. */
  onEvents(events: readonly LogEvent[]): void {
    if (!events.some(({ redacted }) => redacted)) return
    this.#forgetWords()
    this.erase().catch((error: unknown) =>
      this.#parts.logger.error({ err: error }, 'the saved archive could not be deleted after a redaction'),
    )
  }

  /** Deletes everything that was saved; rejects if that fails. The archive is saved anew later. */
  erase(): Promise<void> {
    const saved = this.#saved
    if (saved === null) return Promise.resolve()
    this.#saving?.stop.abort()
    const saveEnded = this.#saving?.ended
    this.#notBefore = Math.max(this.#notBefore, this.#parts.runtime.elapsed() + this.#options.firstSaveAfterMs)
    this.#discarding = this.#discarding
      .catch(() => {})
      .then(() => saveEnded)
      .then(() => (this.#archive === null ? saved.discard() : saved.erase(this.#archive)))
    return this.#discarding
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { runtime } = this.#parts
    runtime.clear(this.#timer)
    this.#stopping.abort()
    await this.#restoring
    const timer = runtime.setTimeout(() => this.#saving?.stop.abort(), this.#options.saveAtStopMs)
    try {
      await this.#discarding.catch(() => {})
      if (this.#saving === null && this.#behind >= EVENTS_WORTH_SAVING_AT_STOP) this.#save()
      await this.#saving?.ended
    } finally {
      runtime.clear(timer)
      this.#saved?.[Symbol.dispose]()
    }
  }

  /**
   * Reads the documents of damaged files from the store; meanwhile, answers that need them are
   * refused.
   */
  #restore(archive: Archive, reason: unknown): void {
    const { store, runtime, logger } = this.#parts
    logger.error({ err: reason }, 'a file of the saved archive is damaged; its documents are read from the database')
    this.#restoring ??= restoreDocuments(archive, store.incidents, runtime, this.#stopping.signal, (error) =>
      logger.warn({ err: error }, 'documents of a damaged file cannot be read from the database yet'),
    ).finally(() => {
      this.#restoring = null
    })
  }

  /**
   * Events since the last save; infinite if nothing is saved, 0 if the archive is too small for it.
   */
  get #behind(): number {
    if (this.#archive === null || this.#saved === null || this.#archive.size < this.#options.minIncidents) return 0
    return this.#saved.seq === null ? Number.POSITIVE_INFINITY : this.#archive.head.seq - this.#saved.seq
  }

  #saveIfDue(): void {
    if (this.#saving !== null || this.#parts.runtime.elapsed() < this.#notBefore) return
    if (this.#behind >= this.#options.eventsBetweenSaves) this.#save()
  }

  #save(): void {
    const stop = new AbortController()
    const ended = this.#discarding
      .catch(() => {})
      .then(() => this.#saveNow(stop.signal))
      .finally(() => {
        this.#saving = null
      })
    this.#saving = { stop, ended }
  }

  async #saveNow(signal: AbortSignal): Promise<void> {
    const { store, logger } = this.#parts
    const began = this.#parts.runtime.elapsed()
    try {
      const bytes = await this.#saved!.save(this.#archive!, store.events, signal)
      const took = this.#parts.runtime.elapsed() - began
      this.#notBefore = Math.max(this.#notBefore, this.#parts.runtime.elapsed() + took * WAIT_PER_DURATION)
      logger.info({ seq: this.#saved!.seq, bytes, ms: Math.round(took) }, 'saved the archive for the next start')
    } catch (error) {
      if (signal.aborted) return
      this.#notBefore = this.#parts.runtime.elapsed() + WAIT_AFTER_FAILURE_MS
      logger.warn({ err: error }, 'the archive could not be saved; the next start may take longer')
    }
  }
}

function openFolder(folder: string | null, options: KeepingOptions, logger: Logger): SavedArchive | null {
  if (folder === null) return null
  try {
    const saved = SavedArchive.open(folder, { memoryBytes: options.documentBytes, slabBytes: options.slabBytes })
    if (saved === null) logger.warn({ folder }, 'another process saves its archive there: this one does without')
    return saved
  } catch (error) {
    logger.warn({ err: error, folder }, 'the archive cannot be saved there: starts take longer')
    return null
  }
}

const BATCH_SIZE = 500
/** An incident that was changed in the store gets its new document from the log meanwhile. */
const WAIT_MS = 500
const MOST_WAIT_MS = 60_000

/** Reads the documents of damaged files from the store, until none is missing. */
export async function restoreDocuments(
  archive: Archive,
  incidents: Pick<Incidents, 'current'>,
  runtime: Runtime,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let pause = WAIT_MS; !signal.aborted; pause = Math.min(MOST_WAIT_MS, 2 * pause)) {
    const ids = archive.damagedIds()
    if (ids.length === 0) return
    try {
      for (let start = 0; start < ids.length && !signal.aborted; start += BATCH_SIZE)
        for (const { id, document } of await incidents.current(ids.slice(start, start + BATCH_SIZE)))
          archive.restore(id, document)
    } catch (error) {
      onError(error)
    }
    if (archive.damagedIds().length === 0) return
    await sleep(runtime, pause, signal).catch(() => {})
  }
}

const FLAG = 'external-memory-accounted-in-global-limit'

/**
 * By default V8 goes through all objects of the process for every 64 MB of buffers that come into
 * use: some thirty times while an archive of a million incidents is read. Until this is disposed
 * of, it does so when buffers and objects together have grown by a third. A running service would
 * keep a hundred megabytes more that way.
 */
function countBuffersWithObjects(): Disposable {
  setFlagsFromString(`--${FLAG}`)
  return { [Symbol.dispose]: () => setFlagsFromString(`--no-${FLAG}`) }
}
