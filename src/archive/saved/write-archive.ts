import { runInSlices } from '../../lib/async/run-in-slices.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { PinnedContents } from '../archive.ts'
import type { ColumnArray } from '../columns/columns.ts'
import type { DocumentRanges, SlabContents } from '../documents/document-store.ts'
import { NewFile, type SavedFile } from './files.ts'
import type { LargeCasualties, Manifest } from './manifest.ts'

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

/** Writes the columns and where the documents are; slots are numbered in published order. */
export async function writeIndex(
  folder: string,
  contents: PinnedContents,
  signal: AbortSignal,
): Promise<Omit<Manifest, 'slabs' | 'samples'>> {
  const { columns, ranges, incidents, retracted, merged, head } = contents
  await using file = await NewFile.create(folder, 'index')
  const sections: { name: string; bytes: number; checksum: number }[] = []
  for (const name of Object.keys(columns.arrays())) {
    const bytes = await runInSlices(inOrder(contents, name), SUBJECT, signal)
    sections.push({ name, ...(await file.append(bytes, signal)) })
  }
  for (const name of ['slab', 'offset', 'length'] as const)
    sections.push({ name, ...(await file.append(bytesOf(ranges[name]), signal)) })
  await file.sync()
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

/** Writes the documents of one slab that are in the archive, and zeros where replaced ones were. */
export async function writeSlab(
  folder: string,
  { bytes, used }: SlabContents,
  documents: SlabDocuments,
  signal: AbortSignal,
): Promise<SavedFile> {
  await using file = await NewFile.create(folder, 'slab')
  const content = documents.fill(used) ? bytes.subarray(0, used) : documents.copyFrom(bytes, used)
  const checked = await file.append(content, signal)
  await file.sync()
  return { name: file.name, ...checked }
}

/** The ranges of one slab. */
export class SlabDocuments {
  readonly #ranges: DocumentRanges
  readonly #slots: Uint32Array

  private constructor(ranges: DocumentRanges, slots: Uint32Array) {
    this.#ranges = ranges
    this.#slots = slots
  }

  /** Sorts the ranges by slab. */
  static bySlab(ranges: DocumentRanges, slabs: number): SlabDocuments[] {
    const ends = new Uint32Array(slabs + 1)
    for (const slab of ranges.slab) ends[slab + 1]!++
    for (let slab = 0; slab < slabs; slab++) ends[slab + 1]! += ends[slab]!
    const next = ends.slice(0, slabs)
    const sorted = new Uint32Array(ranges.slab.length)
    for (let slot = 0; slot < ranges.slab.length; slot++) sorted[next[ranges.slab[slot]!]!++] = slot
    return Array.from(
      { length: slabs },
      (_, slab) => new SlabDocuments(ranges, sorted.subarray(ends[slab], ends[slab + 1])),
    )
  }

  /** Tells whether every byte is part of a document. */
  fill(used: number): boolean {
    let live = 0
    for (const slot of this.#slots) live += this.#ranges.length[slot]!
    return live === used
  }

  copyFrom(bytes: Uint8Array, used: number): Uint8Array {
    const copy = new Uint8Array(used)
    for (const slot of this.#slots) {
      const start = this.#ranges.offset[slot]!
      copy.set(bytes.subarray(start, start + this.#ranges.length[slot]!), start)
    }
    return copy
  }
}

function bytesOf(array: ColumnArray | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
