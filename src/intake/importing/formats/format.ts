import type { Incident } from '../../../domain/incident.ts'
import type { Report } from '../../../domain/report.ts'

/** The position after a row, from which reading can continue. It is part of stored checkpoints. */
export interface Position {
  readonly row: number
  /** Offset of the byte after the row. */
  readonly offset: number
  /** The kind of list that contains a GeoJSON row; the offset alone does not show it. */
  readonly within?: 'collection' | 'list' | 'sequence'
}

/**
 * A row that describes an incident in its source's words; the importer determines place and
 * confidence.
 */
export interface ParsedReport {
  readonly kind: 'report'
  /** Identifies the row in its source, so that importing it twice changes nothing. */
  readonly sourceId: string
  readonly report: Report
  /** Uncertainty of the point as the source states it; null if it does not. */
  readonly radiusKm: number | null
  /** Quality of the row as the source states it, 0 to 1; null if it does not. */
  readonly quality: number | null
}

/** An incident document of this service, which is imported unchanged. */
export interface ParsedIncident {
  readonly kind: 'incident'
  readonly sourceId: string
  readonly incident: Incident
  /** Fields that the format cannot hold completely; they do not count as changed. */
  readonly omits: readonly (keyof Incident)[]
}

export interface RejectedRow {
  readonly kind: 'rejected'
  readonly reason: string
}

export type ParsedRow = ParsedReport | ParsedIncident | RejectedRow

/**
 * A parsed row with its raw text, which is written out if the row is rejected, to be corrected and
 * imported again.
 */
export type Row = Position & { readonly text: string } & ParsedRow

/** Opens the file at an offset, which is 0 unless `after` is given. */
export type Open = (offset: number) => AsyncIterable<Uint8Array>

export interface ReadOptions {
  /** Incidents later than this are rejected. */
  readonly now: number
  /** Maps a foreign column to a field, or to `-` to ignore it; the column `*` means all others. */
  readonly map?: ReadonlyMap<string, string> | undefined
  /** The position after which an interrupted import continues. */
  readonly after?: Position | undefined
}

export interface Format {
  /**
   * Reads every row of the file in order, in constant memory, independently of the chunk
   * boundaries. A row that cannot be parsed is rejected, and reading continues. Throws
   * `UnreadableFile` if the file as a whole cannot be read.
   */
  read(open: Open, options: ReadOptions): AsyncIterable<Row>
}

export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

export function rejected(reason: string): RejectedRow {
  return { kind: 'rejected', reason }
}
