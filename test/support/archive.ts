import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Archive } from '../../src/archive/archive.ts'
import { DocumentStore } from '../../src/archive/documents/document-store.ts'
import { SlabFile } from '../../src/archive/documents/slab-file.ts'
import type { Asker } from '../../src/archive/sliced-queries.ts'
import type { EventKind, Incident } from '../../src/domain/incident.ts'
import type { DocumentChunk, LogEvent, Snapshot } from '../../src/store/store.ts'
import fc from './fast-check.ts'

export function anEvent(seq: number, incident: Incident, kind: EventKind = 'incident.created'): LogEvent {
  return { seq, kind, at: Date.parse(incident.updated_at), incidentId: incident.id, document: JSON.stringify(incident) }
}

export function emptyArchive(): Promise<Archive> {
  return Archive.load(aSnapshot([]))
}

/** In files, but for the slab that is being filled, which has a few documents. */
export const documentForm = fc.constantFrom('in memory', 'in memory', 'in files')
const FEW_DOCUMENTS = 4 << 10

export interface TestDocuments extends AsyncDisposable {
  readonly documents: DocumentStore
  /** Moves documents to files; does nothing if they are to stay in memory. */
  toFiles(): Promise<void>
}

export async function documentsIn(form: string, slabBytes = FEW_DOCUMENTS): Promise<TestDocuments> {
  if (form === 'in memory')
    return { documents: new DocumentStore(), toFiles: async () => {}, [Symbol.asyncDispose]: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-'))
  const files: SlabFile[] = []
  let names = 0
  const documents = new DocumentStore(slabBytes, {
    memoryBytes: 0,
    async write({ bytes, used }) {
      const name = `slab-${names++}`
      await writeFile(join(folder, name), bytes!.subarray(0, used))
      const file = SlabFile.open(folder, name, used)
      files.push(file)
      return file
    },
  })
  return {
    documents,
    async toFiles() {
      await documents.spill()
      await documents.settle()
    },
    async [Symbol.asyncDispose]() {
      for (const file of files) file.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export type TestArchive = TestDocuments & { readonly archive: Archive }

export async function archiveIn(form: string, snapshot = aSnapshot([]), slabBytes?: number): Promise<TestArchive> {
  const documents = await documentsIn(form, slabBytes)
  return { ...documents, archive: await Archive.load(snapshot, documents.documents) }
}

/** Incidents must be given in published order, as a store gives them. */
export function aSnapshot(incidents: readonly Incident[], chunkSize = 100): Snapshot {
  return {
    head: { seq: incidents.length, at: 0, link: '' },
    retracted: [],
    merged: [],
    chunks: chunksOf(incidents, chunkSize),
  }
}

async function* chunksOf(incidents: readonly Incident[], chunkSize: number): AsyncGenerator<DocumentChunk> {
  for (let start = 0; start < incidents.length; start += chunkSize) {
    const documents = incidents.slice(start, start + chunkSize).map((incident) => Buffer.from(JSON.stringify(incident)))
    let end = 0
    const ends = Uint32Array.from(documents, (document) => {
      end += document.length
      return end
    })
    yield { bytes: Buffer.concat(documents), ends }
  }
}

export function incidentsOn(archive: Archive, slots: readonly number[]): Incident[] {
  return slots.map((slot) => JSON.parse(Buffer.from(archive.documentOf(slot)).toString()) as Incident)
}

/** A client that stays. */
export const anAsker: Asker = { subject: 'test', signal: () => new AbortController().signal }
