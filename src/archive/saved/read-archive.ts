import { runInSlices } from '../../lib/async/run-in-slices.ts'
import { Archive } from '../archive.ts'
import { type ColumnArray, Columns } from '../columns/columns.ts'
import { DocumentStore, SLAB_BYTES, type SlabContents } from '../documents/document-store.ts'
import { openSaved, readChecked, type SavedFile } from './files.ts'
import type { Manifest } from './manifest.ts'
import { UnusableFiles } from './unusable.ts'

/** Files that are read at the same time, each by a thread of Node's. */
const READERS = 4
/** Slots beyond the saved ones, so that the first arrival does not copy all columns. */
const SPARE_SHARE = 16
const SPARE_LEAST = 1024

/** Reads the files and checks each; the archive lacks the indexes of its segments. */
export async function readArchive(
  folder: string,
  manifest: Manifest,
): Promise<{ archive: Archive; slabs: readonly SlabContents[] }> {
  const { incidents, head, retracted, merged } = manifest
  const capacity = incidents + Math.ceil(incidents / SPARE_SHARE) + SPARE_LEAST
  const columns = new Columns()
  columns.reserve(capacity)
  const ranges = {
    slab: new Uint16Array(capacity),
    offset: new Uint32Array(capacity),
    length: new Uint32Array(capacity),
  }
  setDictionaries(columns, manifest)
  const slabs: SlabContents[] = []
  const tasks = [
    () => readIndex(folder, manifest, { ...columns.arrays(), ...ranges }, capacity),
    ...manifest.slabs.map((file, number) => async () => {
      slabs[number] = await readSlab(folder, file, number === manifest.slabs.length - 1)
    }),
  ]
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      try {
        for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task()
      } finally {
        // After a failure, the others need not go on.
        tasks.length = 0
      }
    }),
  )
  columns.hasFinerConfidences = manifest.hasFinerConfidences
  for (const [slot, killed, injured, abducted] of manifest.largeCasualties)
    columns.casualties.setLarge(slot, { killed, injured, abducted })
  checkRanges(ranges, incidents, slabs)
  const documents = DocumentStore.of(ranges, incidents, slabs)
  const archive = Archive.of({ columns, documents, incidents, retracted, merged, head })
  await runInSlices(archive.buildIndexes(), 'reading the saved archive')
  return { archive, slabs }
}

async function readIndex(
  folder: string,
  { index, incidents }: Manifest,
  arrays: Record<string, ColumnArray | Uint32Array>,
  capacity: number,
): Promise<void> {
  const names = Object.keys(arrays)
  if (names.join() !== index.sections.map(({ name }) => name).join())
    throw new UnusableFiles('the file of columns has other columns')
  const total = index.sections.reduce((sum, { bytes }) => sum + bytes, 0)
  await using file = await openSaved(folder, index.name, total)
  let position = 0
  for (const section of index.sections) {
    const array = arrays[section.name]!
    if (section.bytes !== (array.byteLength / capacity) * incidents)
      throw new UnusableFiles(`the column ${section.name} has another length`)
    const into = new Uint8Array(array.buffer, array.byteOffset, section.bytes)
    await readChecked(file, position, section, into, `${index.name} (${section.name})`)
    position += section.bytes
  }
}

/** The last slab gets its full room: the next documents go there. */
async function readSlab(folder: string, file: SavedFile, isLast: boolean): Promise<SlabContents> {
  await using handle = await openSaved(folder, file.name, file.bytes)
  const bytes = new Uint8Array(isLast ? Math.max(SLAB_BYTES, file.bytes) : file.bytes)
  await readChecked(handle, 0, file, bytes, file.name)
  return { bytes, used: file.bytes }
}

function setDictionaries(columns: Columns, { dictionaries }: Manifest): void {
  for (const [name, texts] of Object.entries(dictionaries)) {
    const dictionary = columns[name as 'states' | 'lgas' | 'types' | 'severities' | 'datasets']
    for (const [number, text] of texts.entries())
      if (dictionary.add(text) !== number) throw new UnusableFiles(`the ${name} have other numbers`)
  }
}

function checkRanges(
  { slab, offset, length }: { slab: Uint16Array; offset: Uint32Array; length: Uint32Array },
  incidents: number,
  slabs: readonly SlabContents[],
): void {
  for (let slot = 0; slot < incidents; slot++) {
    const { used } = slabs[slab[slot]!] ?? { used: -1 }
    if (offset[slot]! + length[slot]! > used) throw new UnusableFiles(`document ${slot} lies outside of the files`)
  }
}
