import { runInSlices } from '../../lib/concurrency.ts'
import { Archive } from '../archive.ts'
import { type ColumnArray, Columns } from '../columns/columns.ts'
import { DocumentStore } from '../documents/document-store.ts'
import { SlabFile, UnreadableDocuments } from '../documents/slab-file.ts'
import { type DocumentRanges, emptyRanges, Slab } from '../documents/slabs.ts'
import type { WordIndex } from '../words/word-index.ts'
import type { Manifest } from './archive-folder.ts'
import { openSaved, readChecked, readWhole, type SavedFile, UnusableFiles } from './files.ts'
import { SavedWords } from './saved-words.ts'
import { SlabDocuments } from './slab-documents.ts'

/** Files that are read at the same time, each by a thread of Node's. */
const READERS = 4
/** Slots beyond the saved ones, so that the first arrival does not copy all columns. */
const SPARE_SHARE = 16
const SPARE_LEAST = 1024

interface ReadArchive {
  readonly archive: Archive
  /** In the order of the manifest. */
  readonly slabs: readonly Slab[]
}

export interface ReadOptions {
  readonly slabBytes: number
  /**
   * Documents that are read into memory, the newest. The others are checked when they are read from
   * their files.
   */
  readonly memoryBytes: number
}

/**
 * Reads the files and checks what it reads; the files of older documents stay open. Segments have
 * no indexes yet.
 */
export async function readArchive(folder: string, manifest: Manifest, options: ReadOptions): Promise<ReadArchive> {
  const { incidents, head, retracted, merged } = manifest
  const capacity = incidents + Math.ceil(incidents / SPARE_SHARE) + SPARE_LEAST
  const columns = new Columns()
  columns.reserve(capacity)
  const ranges = emptyRanges(capacity)
  setDictionaries(columns, manifest)
  const words = await readIndex(folder, manifest, { ...columns.arrays(), ...ranges }, capacity)
  columns.hasFinerConfidences = manifest.hasFinerConfidences
  for (const [slot, killed, injured, abducted] of manifest.largeCasualties)
    columns.casualties.setLarge(slot, { killed, injured, abducted })
  checkRanges(ranges, incidents, manifest.slabs)
  const slabs = await readSlabs(folder, manifest, ranges, options)
  try {
    const documents = DocumentStore.of(ranges, incidents, slabs, options.slabBytes)
    const archive = Archive.of({ columns, documents, words, incidents, retracted, merged, head })
    return { archive, slabs }
  } catch (error) {
    for (const { file } of slabs) file?.close()
    throw error
  }
}

/**
 * Returns a slab for each file: in memory if it is among the newest, or has room for the next
 * documents.
 */
async function readSlabs(
  folder: string,
  { slabs: files, incidents }: Manifest,
  ranges: DocumentRanges,
  { slabBytes, memoryBytes }: ReadOptions,
): Promise<Slab[]> {
  const documents = SlabDocuments.bySlab(ranges, files.length, incidents)
  const newest = newestWithin(
    memoryBytes,
    files.map(({ bytes }, number) => ({ bytes, position: documents[number]!.meanPosition })),
  )
  const least = files.reduce((least, { bytes }, number) => (bytes < (files[least]?.bytes ?? 0) ? number : least), 0)
  const slabs: Slab[] = []
  const tasks = files.map((file, number) => async () => {
    const isOpen = number === least && file.bytes < slabBytes
    if (isOpen || newest.has(number))
      slabs[number] = await readSlab(folder, file, documents[number]!, isOpen ? slabBytes : file.bytes)
    else slabs[number] = new Slab(openFile(folder, file), file.bytes)
  })
  try {
    await runAll(tasks)
    return slabs
  } catch (error) {
    for (const slab of slabs) slab?.file?.close()
    throw error
  }
}

/** Runs some at the same time; after a failure, the others need not go on. */
async function runAll(tasks: (() => Promise<void>)[]): Promise<void> {
  const readers = Array.from({ length: READERS }, async () => {
    try {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task()
    } finally {
      tasks.length = 0
    }
  })
  const failed = (await Promise.allSettled(readers)).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

async function readIndex(
  folder: string,
  { index, incidents }: Manifest,
  arrays: Record<string, ColumnArray | Uint32Array>,
  capacity: number,
): Promise<WordIndex> {
  const names = Object.keys(arrays)
  const columns = index.sections.filter(({ name }) => name in arrays)
  if (names.join() !== columns.map(({ name }) => name).join())
    throw new UnusableFiles('the file of columns has other columns')
  const total = index.sections.reduce((sum, { bytes }) => sum + bytes, 0)
  await using file = await openSaved(folder, index.name, total)
  let position = 0
  const words = new SavedWords(incidents)
  for (const section of index.sections) {
    const array = arrays[section.name]
    if (array === undefined) {
      const bytes = new Uint8Array(section.bytes)
      await readChecked(file, position, section, bytes, `${index.name} (${section.name})`)
      words.add(section.name, bytes)
      position += section.bytes
      continue
    }
    if (section.bytes !== (array.byteLength / capacity) * incidents)
      throw new UnusableFiles(`the column ${section.name} has another length`)
    const into = new Uint8Array(array.buffer, array.byteOffset, section.bytes)
    await readChecked(file, position, section, into, `${index.name} (${section.name})`)
    position += section.bytes
  }
  return words.index()
}

async function readSlab(folder: string, file: SavedFile, documents: SlabDocuments, room: number): Promise<Slab> {
  const bytes = new Uint8Array(room)
  await readWhole(folder, file, bytes)
  try {
    await runInSlices(documents.check(bytes), 'reading the saved archive')
  } catch (error) {
    if (!(error instanceof UnreadableDocuments)) throw error
    throw new UnusableFiles(`${file.name} is damaged: ${error.message}`)
  }
  return new Slab(bytes, file.bytes)
}

function openFile(folder: string, { name, bytes }: SavedFile): SlabFile {
  try {
    return SlabFile.open(folder, name, bytes)
  } catch (error) {
    throw new UnusableFiles(error instanceof Error ? error.message : String(error))
  }
}

function setDictionaries(columns: Columns, { dictionaries }: Manifest): void {
  for (const [name, texts] of Object.entries(dictionaries)) {
    const dictionary = columns[name as 'states' | 'lgas' | 'types' | 'severities' | 'datasets']
    for (const [number, text] of texts.entries())
      if (dictionary.add(text) !== number) throw new UnusableFiles(`the ${name} have other numbers`)
  }
}

function checkRanges({ slab, offset, length }: DocumentRanges, incidents: number, files: readonly SavedFile[]): void {
  for (let slot = 0; slot < incidents; slot++) {
    const used = files[slab[slot]!]?.bytes ?? -1
    if (offset[slot]! + length[slot]! > used) throw new UnusableFiles(`document ${slot} lies outside of the files`)
  }
}

interface SizedSlab {
  readonly bytes: number
  /** The higher, the newer. */
  readonly position: number
}

/** Returns the numbers of the newest slabs that have at most this many bytes together. */
export function newestWithin(most: number, slabs: readonly SizedSlab[]): Set<number> {
  const newestFirst = slabs.map((slab, number) => ({ ...slab, number })).toSorted((a, b) => b.position - a.position)
  const chosen = new Set<number>()
  let left = most
  for (const { bytes, number } of newestFirst) {
    if (bytes > left) break
    left -= bytes
    chosen.add(number)
  }
  return chosen
}
