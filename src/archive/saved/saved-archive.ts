import { mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type EventLog, StoreUnavailable } from '../../store/store.ts'
import type { Archive } from '../archive.ts'
import type { SlabContents } from '../documents/document-store.ts'
import { OWNER_ONLY, OWNER_ONLY_FOLDER, type SavedFile, syncFolder } from './files.ts'
import { LOCK_NAME, lockFolder } from './folder-lock.ts'
import { sampleLog } from './log-samples.ts'
import { decodeManifest, encodeManifest, type Manifest, namesIn } from './manifest.ts'
import { readArchive } from './read-archive.ts'
import { UnusableFiles } from './unusable.ts'
import { SlabDocuments, writeIndex, writeSlab } from './write-archive.ts'

const MANIFEST = 'manifest'
const NEW_MANIFEST = 'manifest.new'
const BATCH_SIZE = 2000
/** Applying an event takes about as long as loading three incidents from the store. */
const INCIDENTS_PER_EVENT = 3

export type ReadableLog = Pick<EventLog, 'after' | 'head'>

/**
 * A folder with the archive as it was at one event. It holds whole archives only: files have names
 * that are never used again, and the list of those that belong together replaces the one before in
 * one step. `load` and `save` may be called one at a time.
 */
export class SavedArchive implements Disposable {
  readonly #folder: string
  readonly #lock: Disposable
  /** The files of slabs, by their bytes. */
  #slabFiles = new WeakMap<Uint8Array, SavedFile>()
  #current: Manifest | null = null

  private constructor(folder: string, lock: Disposable) {
    this.#folder = folder
    this.#lock = lock
  }

  /** Null while another process uses the folder. */
  static open(folder: string): SavedArchive | null {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const lock = lockFolder(folder)
    return lock && new SavedArchive(folder, lock)
  }

  /** The last event of the saved archive; null if there is none. */
  get seq(): number | null {
    return this.#current?.head.seq ?? null
  }

  /**
   * Returns the saved archive with the events of the log since then; null if there is none. Files
   * that cannot be used are deleted, and `onUnusable` is told the reason.
   */
  async load(log: ReadableLog, onUnusable: (reason: unknown) => void): Promise<Archive | null> {
    try {
      const encoded = await readFile(join(this.#folder, MANIFEST), 'utf8').catch(nullIfMissing)
      const loaded = encoded === null ? null : await this.#load(decodeManifest(encoded), log)
      // Deletes what a process that was killed has left.
      await this.#removeFiles(loaded === null ? [] : [MANIFEST, ...namesIn(this.#current!)])
      if (loaded?.redacted) await this.discard()
      return loaded?.archive ?? null
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      onUnusable(error)
      await this.discard()
      return null
    }
  }

  /**
   * Saves the archive as it is now and returns the bytes written. The archive may be changed
   * meanwhile. If the signal is aborted, the one saved before stays.
   */
  async save(archive: Archive, log: ReadableLog, signal: AbortSignal): Promise<number> {
    try {
      const { slabs, ranges, index } = await this.#saveIndex(archive, signal)
      const samples = await sampleLog(log, index.head.seq)
      // Without it, two databases could not be told apart; the next event brings one.
      if (samples[0] === null) throw new Error(`event ${index.head.seq} is not in the log`)
      const files: SavedFile[] = []
      const unsaved = slabs.filter((slab) => this.#slabFiles.get(slab.bytes)?.bytes !== slab.used)
      await this.#requireRoom(unsaved.reduce((sum, { used }) => sum + used, 0))
      const documents = SlabDocuments.bySlab(ranges, slabs.length)
      for (const [number, slab] of slabs.entries())
        files.push(await this.#savedSlab(slab, documents[number]!, unsaved.includes(slab), signal))
      signal.throwIfAborted()
      const manifest = { ...index, samples, slabs: files }
      await this.#writeManifest(manifest, signal)
      this.#current = manifest
      for (const [number, slab] of slabs.entries()) this.#slabFiles.set(slab.bytes, files[number]!)
      const sections = index.index.sections.reduce((sum, { bytes }) => sum + bytes, 0)
      return sections + unsaved.reduce((sum, { used }) => sum + used, 0)
    } finally {
      await this.#removeFiles(this.#current === null ? [] : [MANIFEST, ...namesIn(this.#current)])
    }
  }

  /** Deletes the saved archive. What is saved next contains nothing of these files. */
  async discard(): Promise<void> {
    this.#current = null
    this.#slabFiles = new WeakMap()
    await this.#removeFiles([])
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]()
  }

  async #load(manifest: Manifest, log: ReadableLog): Promise<{ archive: Archive; redacted: boolean }> {
    const { head, incidents, samples } = manifest
    const logHead = await log.head()
    if (logHead.seq < head.seq)
      throw new UnusableFiles(`they are of event ${head.seq}, and the log ends at ${logHead.seq}`)
    if ((logHead.seq - head.seq) * INCIDENTS_PER_EVENT > incidents)
      throw new UnusableFiles(`they are ${logHead.seq - head.seq} events old`)
    if (JSON.stringify(samples) !== JSON.stringify(await sampleLog(log, head.seq)))
      throw new UnusableFiles('they are of another database')
    const { archive, slabs } = await readArchive(this.#folder, manifest)
    const redacted = await catchUp(archive, log)
    if (archive.head.seq < logHead.seq)
      throw new UnusableFiles(`the log has a gap between event ${archive.head.seq} and its end, ${logHead.seq}`)
    this.#current = manifest
    for (const [number, { bytes }] of slabs.entries()) this.#slabFiles.set(bytes, manifest.slabs[number]!)
    return { archive, redacted }
  }

  /** Holds the archive's pin only as long as columns are read. */
  async #saveIndex(archive: Archive, signal: AbortSignal) {
    using contents = archive.pinContents()
    const { slabs, ranges } = contents
    return { slabs, ranges, index: await writeIndex(this.#folder, contents, signal) }
  }

  async #savedSlab(slab: SlabContents, documents: SlabDocuments, isNew: boolean, signal: AbortSignal) {
    if (!isNew) return this.#slabFiles.get(slab.bytes)!
    signal.throwIfAborted()
    return await writeSlab(this.#folder, slab, documents, signal)
  }

  async #writeManifest(manifest: Manifest, signal: AbortSignal): Promise<void> {
    const path = join(this.#folder, NEW_MANIFEST)
    {
      await using handle = await open(path, 'w', OWNER_ONLY)
      await handle.writeFile(encodeManifest(manifest))
      await handle.sync()
    }
    // The names of the files must be on the disk before the list that needs them.
    await syncFolder(this.#folder)
    signal.throwIfAborted()
    await rename(path, join(this.#folder, MANIFEST))
    await syncFolder(this.#folder)
  }

  /** Leaves as much again: the database may need the room of this disk. */
  async #requireRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize < 2 * bytes)
      throw new Error(`it needs ${bytes} bytes and as many free ones; there are ${bavail * bsize}`)
  }

  /** The list of files goes first: without it, nobody reads the others. */
  async #removeFiles(kept: readonly string[]): Promise<void> {
    const keep = new Set([LOCK_NAME, ...kept])
    const names = (await readdir(this.#folder)).filter((name) => !keep.has(name))
    if (names.includes(MANIFEST)) await rm(join(this.#folder, MANIFEST))
    for (const name of names) await rm(join(this.#folder, name), { force: true })
  }
}

/** Returns whether a redaction was among the events. */
async function catchUp(archive: Archive, log: ReadableLog): Promise<boolean> {
  let redacted = false
  for (;;) {
    const events = await log.after(archive.head.seq, BATCH_SIZE)
    archive.apply(events)
    redacted ||= events.some((event) => event.redacted === true)
    if (events.length < BATCH_SIZE) break
  }
  archive.forgetMonthVersions()
  return redacted
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
