import { runInSlices } from '../../lib/concurrency.ts'
import type { Steps } from '../../lib/steps.ts'
import type { PinnedContents } from '../archive.ts'
import type { ColumnArray } from '../columns/columns.ts'
import type { SlabFile } from '../documents/slab-file.ts'
import type { DocumentRanges, SlabContents } from '../documents/slabs.ts'
import type { LargeCasualties, Manifest } from './archive-folder.ts'
import { NewFile, type SavedFile, type Section } from './files.ts'
import { encodePostings, encodeVocabulary, VOCABULARY, WORDS } from './saved-words.ts'
import type { SlabDocuments } from './slab-documents.ts'

/** Slots that are copied in one step. */
const STEP = 2048
const SUBJECT = 'saving the archive'
const DICTIONARIES = ['states', 'lgas', 'types', 'severities', 'datasets'] as const

/** Copies a column in published order. */
function* inOrder({ columns, runs, incidents }: PinnedContents, name: string): Steps<Uint8Array> {
  const first = columns.arrays()[name]!
  const stride = first.length / columns.publishedAt.length
  const copy = new (first.constructor as new (length: number) => ColumnArray)(incidents * stride)
  let at = 0
  for (const run of runs) {
    for (let start = 0; start < run.length; start += STEP) {
      // Looked up in each step: an arrival may have replaced the array by a longer one.
      const column = columns.arrays()[name]!
      for (const slot of run.subarray(start, start + STEP)) {
        for (let from = slot * stride; from < (slot + 1) * stride; from++) copy[at++] = column[from]!
      }
      yield
    }
  }
  return bytesOf(copy)
}

function* largeCasualties({ columns: { casualties }, runs }: PinnedContents): Steps<LargeCasualties[]> {
  const large: LargeCasualties[] = []
  let position = 0
  for (const run of runs) {
    for (const slot of run) {
      const figures = casualties.largeOf(slot)
      if (figures !== null) large.push([position, figures.killed, figures.injured, figures.abducted])
      position++
    }
    yield
  }
  return large
}

/** Writes the columns and the words; slots are numbered in published order. */
export async function writeColumns(
  file: NewFile,
  contents: PinnedContents,
  signal: AbortSignal,
): Promise<Omit<Manifest, 'slabs'>> {
  const { columns, incidents, retracted, merged, head } = contents
  const sections: { name: string; bytes: number; checksum: number }[] = []
  for (const name of Object.keys(columns.arrays())) {
    const bytes = await runInSlices(inOrder(contents, name), SUBJECT, signal)
    sections.push({ name, ...(await file.append(bytes, signal)) })
  }
  sections.push(...(await writeWords(file, contents, signal)))
  return {
    head,
    incidents,
    index: { name: file.name, sections },
    dictionaries: Object.fromEntries(DICTIONARIES.map((name) => [name, [...columns[name].texts]])),
    hasFinerConfidences: columns.hasFinerConfidences,
    largeCasualties: await runInSlices(largeCasualties(contents), SUBJECT, signal),
    retracted,
    merged,
  }
}

/** Words that no incident has any more are left out. */
async function writeWords(
  file: NewFile,
  { words, runs, incidents }: PinnedContents,
  signal: AbortSignal,
): Promise<Section[]> {
  const slots = new Uint32Array(incidents)
  for (let at = 0, run = 0; run < runs.length; at += runs[run++]!.length) slots.set(runs[run]!, at)
  const sections: Section[] = []
  const used: number[] = []
  for (let at = 0; at < incidents; ) {
    const postings = await runInSlices(words.postingsAt(slots, at), SUBJECT, signal)
    for (const word of postings.words) used[word] = 1
    sections.push({ name: WORDS + sections.length, ...(await file.append(encodePostings(postings), signal)) })
    at += postings.size
  }
  const vocabulary = encodeVocabulary(words.vocabulary.contentsOf(Uint8Array.from(used)))
  return [...sections, { name: VOCABULARY, ...(await file.append(vocabulary, signal)) }]
}

/** Writes where the documents are, behind the columns. */
export async function writeRanges(file: NewFile, ranges: DocumentRanges, signal: AbortSignal): Promise<Section[]> {
  const sections: Section[] = []
  for (const name of ['slab', 'offset', 'length', 'checksum'] as const)
    sections.push({ name, ...(await file.append(bytesOf(ranges[name]), signal)) })
  return sections
}

/** Writes the documents of one slab that are in the archive, and zeros where replaced ones were. */
export async function writeSlab(
  folder: string,
  { slab, used }: SlabContents,
  documents: SlabDocuments,
  signal: AbortSignal,
): Promise<SavedFile> {
  const bytes = slab.bytes ?? (await readSlabFile(slab.file!))
  await runInSlices(documents.check(bytes), SUBJECT, signal)
  await using file = await NewFile.create(folder, 'slab')
  const content = documents.fill(used) ? bytes.subarray(0, used) : documents.copyFrom(bytes, used)
  await file.appendUnchecked(content, signal)
  await file.sync()
  return { name: file.name, bytes: used }
}

async function readSlabFile(file: SlabFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.bytes)
  await file.readAll(bytes)
  return bytes
}

function bytesOf(array: ColumnArray | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
