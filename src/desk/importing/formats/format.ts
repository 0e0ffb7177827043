import type { Incident } from '../../../domain/incident.ts'
import type { Report } from '../../../domain/report.ts'
import type { IncidentType } from '../../../domain/taxonomy.ts'

/** The position after a row, where reading can continue. Part of stored checkpoints. */
export interface Position {
  readonly row: number
  /** Offset of the byte after the row. */
  readonly offset: number
  /** The list that contains a GeoJSON row; the offset alone does not show it. */
  readonly within?: 'collection' | 'list' | 'sequence'
}

/** An incident in its source's words; the importer determines place and confidence. */
export interface ParsedReport {
  readonly kind: 'report'
  /** Identifies the row in its source, so that importing it twice changes nothing. */
  readonly sourceId: string
  readonly report: Report
  /** Uncertainty of the point as the source states it; null if it does not. */
  readonly radiusKm: number | null
  /** Quality of the row as the source states it, 0 to 1; null if it does not. */
  readonly quality: number | null
  /** Lists what the row did not say: that does not replace what is known. */
  readonly assumed?: Assumed
}

/** Values of a report that the row's own columns do not state. */
export interface Assumed {
  /** The types that a more complete row could have given. */
  readonly type?: readonly IncidentType[]
  readonly timePrecision?: true
  /** The compiler stands for sources that are not named. */
  readonly sources?: true
  readonly summary?: AssumedSummary
}

/**
 * The part of a composed summary that the row does not say: all of it, or its beginning or the
 * details of its end. The end begins with `splitAt`, in every summary of the format.
 */
export type AssumedSummary = 'all' | { readonly splitAt: string; readonly beginIsVague: boolean }

/** An incident of this service, imported unchanged. */
export interface ParsedIncident {
  readonly kind: 'incident'
  readonly sourceId: string
  readonly incident: Incident
  /** Fields that the format cannot hold completely; they never count as changed. */
  readonly omits: readonly (keyof Incident)[]
}

export interface RejectedRow {
  readonly kind: 'rejected'
  readonly reason: string
}

export type ParsedRow = ParsedReport | ParsedIncident | RejectedRow

/** `text` is written out if the row is rejected, to be corrected and imported again. */
export type Row = Position & { readonly text: string } & ParsedRow

/** Opens the file at an offset, which is 0 unless `after` is given. */
export type Open = (offset: number) => AsyncIterable<Uint8Array>

/** Translates a foreign table: its columns, its values, and what it leaves unsaid. */
export interface Mapping {
  /** From a foreign column to a field, or to `-` to ignore it; `*` means all other columns. */
  readonly columns: ReadonlyMap<string, string>
  /** For a field, from a foreign value, in any case, to ours; `*` means all other values. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Fields that have one value in every row. */
  readonly constants: ReadonlyMap<string, string>
}

export const NO_MAPPING: Mapping = { columns: new Map(), values: new Map(), constants: new Map() }

export interface ReadOptions {
  /** Incidents later than this are rejected. */
  readonly now: number
  /** Only for formats that accept one. */
  readonly mapping?: Mapping | undefined
  /** The position at which an interrupted import continues. */
  readonly after?: Position | undefined
}

export interface Format {
  /**
   * Reads every row in order, in constant memory, independently of the chunk boundaries. A row that
   * cannot be parsed is rejected; an unreadable file throws `UnreadableFile`.
   */
  read(open: Open, options: ReadOptions): AsyncIterable<Row>
}

export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

export function rejected(reason: string): RejectedRow {
  return { kind: 'rejected', reason }
}
