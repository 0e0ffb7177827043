import type { Incident } from '../../../domain/incident.ts'
import type { Report } from '../../../domain/report.ts'

/** Where a row stands: a checkpoint, to be kept whole, from which reading can go on. */
export interface Position {
  readonly row: number
  /** Of the byte after the row. */
  readonly offset: number
  /** What GeoJSON's row is an entry of; the offset alone does not tell. */
  readonly within?: 'collection' | 'list' | 'sequence'
}

/** A row that says what happened, in its source's words; placementResult and judging it is left to the importer. */
export interface ParsedReport {
  readonly kind: 'report'
  /** The same for the same row of the same source, so that importing it twice changes nothing. */
  readonly sourceId: string
  readonly report: Report
  /** The source places the incident within this distance of its point; null where it does not say. */
  readonly radiusKm: number | null
  /** How far the source itself vouches for the row, 0–1; null where it does not say. */
  readonly quality: number | null
}

/** One of our own incidents, to be kept as it is. */
export interface ParsedIncident {
  readonly kind: 'incident'
  readonly sourceId: string
  readonly incident: Incident
  /** Fields that the format cannot carry whole: no reason to think that an incident we have has changed. */
  readonly omits: readonly (keyof Incident)[]
}

export interface RejectedRow {
  readonly kind: 'rejected'
  readonly reason: string
}

export type ParsedRow = ParsedReport | ParsedIncident | RejectedRow

/** A row with its raw text: whoever rejects it keeps that, so that it can be mended and imported again. */
export type Row = Position & { readonly text: string } & ParsedRow

/** Opens the file at an offset. It is asked for another one than 0 only where `after` is given. */
export type Open = (offset: number) => AsyncIterable<Uint8Array>

export interface ReadOptions {
  /** Nothing can have happened after this moment. */
  readonly now: number
  /** Foreign column → our field, or `-` to leave the column out; the column `*` stands for all others. */
  readonly map?: ReadonlyMap<string, string> | undefined
  /** The row to go on after, where an earlier reading was interrupted. */
  readonly after?: Position | undefined
}

export interface Format {
  /**
   * Every row of the file, in order, however its bytes are cut into chunks, in constant memory. A row that cannot be
   * understood is rejected and the next one read. Throws `UnreadableFile` where the file as a whole makes no sense.
   */
  read(open: Open, options: ReadOptions): AsyncIterable<Row>
}

export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

export function rejected(reason: string): RejectedRow {
  return { kind: 'rejected', reason }
}
