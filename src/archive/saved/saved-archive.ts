import { existsSync, mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { runInSlices } from '../../lib/async/run-in-slices.ts'
import { type EventLog, StoreUnavailable } from '../../store/store.ts'
import type { Archive } from '../archive.ts'
import { DocumentStore, SLAB_BYTES, type SlabContents } from '../documents/document-store.ts'
import type { Slab } from '../documents/slab.ts'
import { SlabFile } from '../documents/slab-file.ts'
import { NewFile, OWNER_ONLY, OWNER_ONLY_FOLDER, type SavedFile, syncFolder } from './files.ts'
import { LOCK_NAME, lockFolder } from './folder-lock.ts'
import { sampleLog } from './log-samples.ts'
import { decodeManifest, encodeManifest, type Manifest, namesIn } from './manifest.ts'
import { newestWithin } from './newest-slabs.ts'
import { type ReadOptions, readArchive } from './read-archive.ts'
import { SlabDocuments } from './slab-documents.ts'
import { UnusableFiles } from './unusable.ts'
import { writeColumns, writeRanges, writeSlab } from './write-archive.ts'

const MANIFEST = 'manifest'
const NEW_MANIFEST = 'manifest.new'
const BATCH_SIZE = 2000
/** Applying an event takes about as long as loading three incidents from the store. */
const INCIDENTS_PER_EVENT = 3

export type ReadableLog = Pick<EventLog, 'after' | 'head'>

const DEFAULTS: ReadOptions = { slabBytes: SLAB_BYTES, memoryBytes: Number.POSITIVE_INFINITY }
const NEVER = new AbortController().signal

/**
 * A folder with the archive as it was at one event. It holds whole archives only: files have names
 * that are never used again, and the list of those that belong together replaces the one before in
 * one step. Older documents of the running archive are read from its files, which stay open until
 * this is disposed of. Methods may be called one at a time.
 */
export class SavedArchive implements Disposable {
  readonly #folder: string
  readonly #lock: Disposable
  readonly #options: ReadOptions
  #slabFiles = new WeakMap<Slab, SavedFile>()
  /** Files that documents are, or were, read from. */
  readonly #open = new Set<SlabFile>()
  /** Those that may not be on the disk yet. */
  readonly #unsynced = new Set<SlabFile>()
  #current: Manifest | null = null

  private constructor(folder: string, lock: Disposable, options: ReadOptions) {
    this.#folder = folder
    this.#lock = lock
    this.#options = options
  }

  /** Null while another process uses the folder. */
  static open(folder: string, options: Partial<ReadOptions> = {}): SavedArchive | null {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const lock = lockFolder(folder)
    return lock && new SavedArchive(folder, lock, { ...DEFAULTS, ...options })
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
      if (loaded?.redacted) await this.erase(loaded.archive)
      return loaded?.archive ?? null
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        this.#closeFiles()
        throw error
      }
      onUnusable(error)
      await this.discard()
      return null
    }
  }

  /** Returns an empty store for loading an archive from the database: what is beyond the memory goes to files. */
  newDocuments(onFull: (error: unknown) => void): DocumentStore {
    this.#closeFiles()
    let written = 0
    let isFull = false
    const { slabBytes, memoryBytes } = this.#options
    return new DocumentStore(slabBytes, {
      memoryBytes,
      write: async (slab) => {
        if (isFull) return null
        try {
          written += slab.used
          await this.#requireRoom(slab.used, written)
          return await this.#spill(slab)
        } catch (error) {
          if (!isFull) onFull(error)
          isFull = true
          return null
        }
      },
    })
  }

  /**
   * Saves the archive as it is at one moment of the call and returns the bytes written. It may be
   * changed meanwhile. Afterwards its older documents are read from the files. If the signal is
   * aborted, the one saved before stays.
   */
  async save(archive: Archive, log: ReadableLog, signal: AbortSignal): Promise<number> {
    try {
      await runInSlices(archive.prepareContents(), 'saving the archive', signal)
      await using indexFile = await NewFile.create(this.#folder, 'index')
      const { slabs, ranges, index } = await this.#saveColumns(archive, indexFile, signal)
      const samples = await sampleLog(log, index.head.seq)
      // Without it, two databases could not be told apart; the next event brings one.
      if (samples[0] === null) throw new Error(`event ${index.head.seq} is not in the log`)
      const unsaved = new Set(slabs.filter((contents) => !this.#isSaved(contents)))
      const unsavedBytes = Array.from(unsaved).reduce((sum, { used }) => sum + used, 0)
      await this.#requireRoom(unsavedBytes)
      const documents = SlabDocuments.bySlab(ranges, slabs.length)
      const files: SavedFile[] = []
      for (const [number, contents] of slabs.entries()) {
        signal.throwIfAborted()
        const isNew = unsaved.has(contents)
        files.push(
          isNew
            ? await writeSlab(this.#folder, contents, documents[number]!, signal)
            : this.#slabFiles.get(contents.slab)!,
        )
      }
      for (const file of this.#unsynced) if (file.isOpen) await file.sync()
      this.#unsynced.clear()
      const sections = [...index.index.sections, ...(await writeRanges(indexFile, ranges, signal))]
      await indexFile.sync()
      signal.throwIfAborted()
      const manifest = { ...index, index: { name: indexFile.name, sections }, samples, slabs: files }
      await this.#writeManifest(manifest, signal)
      this.#current = manifest
      for (const [number, { slab }] of slabs.entries()) this.#slabFiles.set(slab, files[number]!)
      this.#moveToFiles(archive, slabs, documents)
      return indexFile.length + unsavedBytes
    } finally {
      await this.#removeFiles(
        this.#current === null
          ? namesOf(archive.files)
          : [MANIFEST, ...namesIn(this.#current), ...namesOf(archive.files)],
      )
      this.#forgetClosed()
    }
  }

  /**
   * Takes everything out of the folder that is not a document of the archive as it is now. Files that
   * are in use stay, with zeros in place of other documents; whoever still reads these cannot go on.
   */
  async erase(archive: Archive): Promise<void> {
    this.#current = null
    await this.#removeFiles(namesOf(archive.files))
    const { slabs, ranges } = archive.contents()
    const documents = SlabDocuments.bySlab(ranges, slabs.length)
    const inUse = new Set<SlabFile>(archive.files)
    this.#slabFiles = new WeakMap()
    for (const [number, { slab }] of slabs.entries()) {
      const { file } = slab
      if (file === null) continue
      await file.erase(documents[number]!.gaps(file.bytes))
      inUse.delete(file)
      this.#slabFiles.set(slab, { name: file.name, bytes: file.bytes })
    }
    // What is left has only documents that were replaced, for readers of an earlier moment.
    for (const file of inUse) await file.empty()
    for (const file of this.#open) if (!archive.files.includes(file)) await file.empty()
    this.#forgetClosed()
  }

  /** Deletes the saved archive, and closes its files. */
  async discard(): Promise<void> {
    this.#current = null
    this.#slabFiles = new WeakMap()
    this.#closeFiles()
    await this.#removeFiles([])
  }

  [Symbol.dispose](): void {
    this.#closeFiles()
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
    const { archive, slabs } = await readArchive(this.#folder, manifest, this.#options)
    for (const { file } of slabs) if (file !== null) this.#open.add(file)
    const redacted = await catchUp(archive, log)
    if (archive.head.seq < logHead.seq)
      throw new UnusableFiles(`the log has a gap between event ${archive.head.seq} and its end, ${logHead.seq}`)
    this.#current = manifest
    for (const [number, slab] of slabs.entries()) this.#slabFiles.set(slab, manifest.slabs[number]!)
    return { archive, redacted }
  }

  /** Holds the archive's pin only as long as columns are read. */
  async #saveColumns(archive: Archive, file: NewFile, signal: AbortSignal) {
    using contents = archive.pinContents()
    const { slabs, ranges } = contents
    return { slabs, ranges, index: await writeColumns(file, contents, signal) }
  }

  /** Somebody may have deleted a file that is in use. */
  #isSaved({ slab, used }: SlabContents): boolean {
    const file = this.#slabFiles.get(slab)
    return file?.bytes === used && existsSync(join(this.#folder, file.name))
  }

  /** Moves the older ones of the slabs that were saved. */
  #moveToFiles(archive: Archive, slabs: readonly SlabContents[], documents: readonly SlabDocuments[]): void {
    const newest = newestWithin(
      this.#options.memoryBytes,
      slabs.map(({ slab, used }, number) => ({
        bytes: slab.bytes === null ? 0 : used,
        position: documents[number]!.meanPosition,
      })),
    )
    const moved = new Map<Slab, SlabFile>()
    try {
      for (const [number, { slab, isWhole }] of slabs.entries()) {
        if (slab.bytes === null || !isWhole || newest.has(number)) continue
        const { name, bytes } = this.#slabFiles.get(slab)!
        moved.set(slab, this.#opened(SlabFile.open(this.#folder, name, bytes)))
      }
    } finally {
      archive.moveToFiles(moved)
    }
  }

  /** Writes a slab while the archive is loaded; it reaches the disk at the latest when the archive is saved. */
  async #spill(slab: Slab): Promise<SlabFile> {
    const { used } = slab
    await using file = await NewFile.create(this.#folder, 'slab')
    await file.appendUnchecked(slab.bytes!.subarray(0, used), NEVER)
    const opened = this.#opened(SlabFile.open(this.#folder, file.name, used))
    this.#unsynced.add(opened)
    this.#slabFiles.set(slab, { name: file.name, bytes: used })
    return opened
  }

  #opened(file: SlabFile): SlabFile {
    this.#open.add(file)
    return file
  }

  #forgetClosed(): void {
    for (const file of this.#open) if (!file.isOpen) this.#open.delete(file)
  }

  #closeFiles(): void {
    for (const file of this.#open) file.close()
    this.#open.clear()
    this.#unsynced.clear()
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
  async #requireRoom(bytes: number, left = bytes): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize < bytes + left)
      throw new Error(`it needs ${bytes} bytes and ${left} free ones; there are ${bavail * bsize}`)
  }

  /** The list of files goes first: without it, nobody reads the others. */
  async #removeFiles(kept: readonly string[]): Promise<void> {
    const keep = new Set([LOCK_NAME, ...kept])
    const names = (await readdir(this.#folder)).filter((name) => !keep.has(name))
    if (names.includes(MANIFEST)) await rm(join(this.#folder, MANIFEST))
    for (const name of names) await rm(join(this.#folder, name), { force: true })
  }
}

function namesOf(files: readonly SlabFile[]): string[] {
  return files.map(({ name }) => name)
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
