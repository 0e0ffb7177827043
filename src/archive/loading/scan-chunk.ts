import { PREFIXES } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { checksum, viewOf } from '../../lib/checksum.ts'
import type { DocumentChunk } from '../../store/store.ts'
import { type ColumnContents, Columns } from '../columns/columns.ts'
import { datasetFinder, readIndexedFields } from '../documents/read-indexed-fields.ts'

/** A chunk of documents with what the archive keeps of them. */
export interface ScannedChunk extends DocumentChunk {
  readonly checksums: Uint32Array
  readonly columns: ColumnContents
}

/** Reads the fields of all documents; the slots are numbered from 0. */
export function scanChunk({ bytes, ends }: DocumentChunk): ScannedChunk {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const view = viewOf(bytes)
  const columns = new Columns()
  columns.reserve(ends.length)
  const findDataset = datasetFinder(buffer)
  const checksums = new Uint32Array(ends.length)
  let start = 0
  for (const [slot, end] of ends.entries()) {
    const from = start
    const parse = () => JSON.parse(buffer.toString('utf8', from, end)) as Incident
    const { id, fields } = readIndexedFields(buffer, from, end, parse, findDataset)
    columns.set(slot, id.slice(PREFIXES.incident.length), fields)
    checksums[slot] = checksum(view, from, end)
    start = end
  }
  return { bytes, ends, checksums, columns: columns.contents(ends.length) }
}
