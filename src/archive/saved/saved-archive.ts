import { runInSlices } from '../../lib/concurrency.ts'
import { type EventLog, isSameLink, StoreUnavailable } from '../../store/store.ts'
import type { Archive } from '../archive.ts'
import { DocumentStore, SLAB_BYTES } from '../documents/document-store.ts'
import { SlabFile } from '../documents/slab-file.ts'
import type { Slab, SlabContents } from '../documents/slabs.ts'
import { ArchiveFolder, type Manifest } from './archive-folder.ts'
import { NewFile, type SavedFile, UnusableFiles } from './files.ts'
import { newestWithin, type ReadOptions, readArchive } from './read-archive.ts'
import { SlabDocuments } from './slab-documents.ts'
import { writeColumns, writeRanges, writeSlab } from './write-archive.ts'

/** Applying an event takes about as long as loading three incidents from the store. */
const INCIDENTS_PER_EVENT = 3

const DEFAULTS: ReadOptions = { slabBytes: SLAB_BYTES, memoryBytes: Number.POSITIVE_INFINITY }
const NEVER = new AbortController().signal

/**
 * A folder with the archive as it was at one event. It holds whole archives only: files have names
 * that are never used again, and the list of those that belong together replaces the one before in
 * one step. Older documents of the running archive are read from its files, which stay open until
 * this is disposed of. Methods may be called one at a time.
 */
export class SavedArchive implements Disposable {
  readonly #folder: ArchiveFolder
  readonly #options: ReadOptions
  #slabFiles = new WeakMap<Slab, SavedFile>()
  /** Files that documents are, or were, read from. */
  readonly #open = new Set<SlabFile>()
  /** Files that may not be on the disk yet. */
  readonly #unsynced = new Set<SlabFile>()
  #current: Manifest | null = null

  private constructor(folder: ArchiveFolder, options: ReadOptions) {
    this.#folder = folder
    this.#options = options
  }

  /** Null while another process uses the folder. */
  static open(folder: string, options: Partial<ReadOptions> = {}): SavedArchive | null {
    const opened = ArchiveFolder.open(folder)
    return opened && new SavedArchive(opened, { ...DEFAULTS, ...options })
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
      const manifest = await this.#folder.readManifest()
      const loaded = manifest && (await this.#load(manifest, log))
      // Deletes what a process that was killed has left.
      await this.#folder.removeFiles([], loaded && this.#current)
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

  /**
   * Returns an empty store for loading an archive from the database: what is beyond the memory goes
   * to files.
   */
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
          await this.#folder.requireRoom(slab.used, written)
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
      await using indexFile = await NewFile.create(this.#folder.path, 'index')
      const { slabs, ranges, index } = await this.#saveColumns(archive, indexFile, signal)
      const link = index.head.link || (await log.linkOf(index.head.seq))
      // Without it, two databases could not be told apart.
      if (!link) throw new Error(`event ${index.head.seq} has no link yet`)
      const unsaved = new Set(slabs.filter((contents) => !this.#isSaved(contents)))
      const unsavedBytes = Array.from(unsaved).reduce((sum, { used }) => sum + used, 0)
      await this.#folder.requireRoom(unsavedBytes)
      const documents = SlabDocuments.bySlab(ranges, slabs.length)
      const files: SavedFile[] = []
      for (const [number, contents] of slabs.entries()) {
        signal.throwIfAborted()
        const isNew = unsaved.has(contents)
        files.push(
          isNew
            ? await writeSlab(this.#folder.path, contents, documents[number]!, signal)
            : this.#slabFiles.get(contents.slab)!,
        )
      }
      for (const file of this.#unsynced) if (file.isOpen) await file.sync()
      this.#unsynced.clear()
      const sections = [...index.index.sections, ...(await writeRanges(indexFile, ranges, signal))]
      await indexFile.sync()
      signal.throwIfAborted()
      const manifest = {
        ...index,
        head: { ...index.head, link },
        index: { name: indexFile.name, sections },
        slabs: files,
      }
      await this.#folder.writeManifest(manifest, signal)
      this.#current = manifest
      for (const [number, { slab }] of slabs.entries()) this.#slabFiles.set(slab, files[number]!)
      this.#moveToFiles(archive, slabs, documents)
      return indexFile.length + unsavedBytes
    } finally {
      await this.#folder.removeFiles(namesOf(archive.files), this.#current)
      this.#forgetClosed()
    }
  }

  /**
   * Takes everything out of the folder that is not a document of the archive as it is now. Files
   * that are in use stay, with zeros in place of other documents; whoever still reads these cannot
   * go on.
   */
  async erase(archive: Archive): Promise<void> {
    this.#current = null
    await this.#folder.removeFiles(namesOf(archive.files), null)
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
    // The remaining files have only replaced documents, for readers of an earlier moment.
    for (const file of inUse) await file.empty()
    for (const file of this.#open) if (!archive.files.includes(file)) await file.empty()
    this.#forgetClosed()
  }

  /** Deletes the saved archive, and closes its files. */
  async discard(): Promise<void> {
    this.#current = null
    this.#slabFiles = new WeakMap()
    this.#closeFiles()
    await this.#folder.removeFiles([], null)
  }

  [Symbol.dispose](): void {
    this.#closeFiles()
    this.#folder[Symbol.dispose]()
  }

  async #load(manifest: Manifest, log: ReadableLog): Promise<{ archive: Archive; redacted: boolean }> {
    const { head, incidents } = manifest
    const logHead = await log.head()
    if (logHead.seq < head.seq)
      throw new UnusableFiles(`they are of event ${head.seq}, and the log ends at ${logHead.seq}`)
    if ((logHead.seq - head.seq) * INCIDENTS_PER_EVENT > incidents)
      throw new UnusableFiles(`they are ${logHead.seq - head.seq} events old`)
    const link = await log.linkOf(head.seq)
    if (!link || !isSameLink(link, head.link)) throw new UnusableFiles('they are of another database')
    const { archive, slabs } = await readArchive(this.#folder.path, manifest, this.#options)
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
    return file?.bytes === used && this.#folder.has(file.name)
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
        moved.set(slab, this.#opened(SlabFile.open(this.#folder.path, name, bytes)))
      }
    } finally {
      archive.moveToFiles(moved)
    }
  }

  /**
   * Writes a slab while the archive is loaded; it reaches the disk at the latest when the archive
   * is saved.
   */
  async #spill(slab: Slab): Promise<SlabFile> {
    const { used } = slab
    await using file = await NewFile.create(this.#folder.path, 'slab')
    try {
      await file.appendUnchecked(slab.bytes!.subarray(0, used), NEVER)
    } catch (error) {
      // A disk that is full needs the room.
      await this.#folder.remove(file.name)
      throw error
    }
    const opened = this.#opened(SlabFile.open(this.#folder.path, file.name, used))
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
}

function namesOf(files: readonly SlabFile[]): string[] {
  return files.map(({ name }) => name)
}

const BATCH_SIZE = 2000

type ReadableLog = Pick<EventLog, 'after' | 'head' | 'linkOf'>

/** Applies the events since the archive was saved; returns whether a redaction was among them. */
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
