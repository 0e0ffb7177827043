import type { LogHead, MergedIncident } from '../store/store.ts'
import type { Columns } from './columns/columns.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { DocumentContents } from './documents/slab-contents.ts'

interface Contents {
  readonly columns: Columns
  readonly incidents: number
  readonly retracted: readonly string[]
  readonly merged: readonly MergedIncident[]
  readonly head: LogHead
}

/** What an archive is made of. */
export interface ArchiveContents extends Contents {
  readonly documents: DocumentStore
}

/** The same as it is at one moment; documents and slots are in published order. */
export interface PinnedContents extends Contents, DocumentContents, Disposable {
  readonly runs: readonly Uint32Array[]
}
