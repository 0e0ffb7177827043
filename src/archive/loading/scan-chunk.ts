import { PREFIXES } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { indexedFieldsOf } from '../../filter/indexed-fields.ts'
import { checksum, viewOf } from '../../lib/checksum.ts'
import type { DocumentChunk } from '../../store/store.ts'
import { type ColumnContents, Columns } from '../columns/columns.ts'
import { FieldScanner } from './field-scanner.ts'

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
  const scanner = new FieldScanner(buffer, columns)
  const checksums = new Uint32Array(ends.length)
  let start = 0
  for (let slot = 0; slot < ends.length; slot++) {
    const end = ends[slot]!
    if (!scanner.scan(slot, start, end)) setParsed(columns, slot, buffer.toString('utf8', start, end))
    checksums[slot] = checksum(view, start, end)
    start = end
  }
  return { bytes, ends, checksums, columns: columns.contents(ends.length) }
}

function setParsed(columns: Columns, slot: number, document: string): void {
  const incident = JSON.parse(document) as Incident
  columns.set(slot, incident.id.slice(PREFIXES.incident.length), indexedFieldsOf(incident))
}
