/** A clock that was set back by less is left alone: nothing waits for longer than that. */
export const MIN_CORRECTED_MS = 60_000

/** Readings of the clock by all processes, to notice that it was set back or has jumped ahead. */
export interface ClockReadings {
  read(): Promise<{ readonly seenAt: number; readonly agedAt: number } | null>
  /**
   * Records a reading, and the time that this process counts ages to, if it knows one. If the clock
   * was set back since the last reading, by `setBackBy` at least as far as this process knows, also
   * corrects times that lie ahead, once for all processes: leases, due times of sources, what ends,
   * and what is kept for a time. Returns by how much, or 0, and the time that ages are counted to:
   * the latest of all processes, and no later than the clock.
   */
  record(
    now: number,
    agedAt: number | null,
    setBackBy: number,
  ): Promise<{ readonly agedAt: number; readonly setBackBy: number }>
}

/** Tables that grow with the work of each day. */
export const GROWING_TABLES = [
  'events',
  'desk_entries',
  'steps',
  'audit',
  'usage',
  'import_changes',
  'deliveries',
] as const
export type GrowingTable = (typeof GROWING_TABLES)[number]

export interface TableSizes {
  /**
   * The number of rows, roughly, read in milliseconds however many there are: from the first and
   * the last number, or from the statistics of PostgreSQL. Counted up to 100,000 where neither is
   * possible.
   */
  rows(): Promise<Readonly<Record<GrowingTable, number>>>
}

export interface Backups {
  /** The time of the last backup; null if none is on record. */
  lastTakenAt(): Promise<number | null>
}

export interface BackupContents {
  readonly incidents: number
  readonly events: number
  readonly watches: number
  readonly bytes: number
}

export interface RestoreResult {
  readonly contents: BackupContents
  /** The replaced store's path; null if it had no content. */
  readonly kept: string | null
}

/** The backup or restore was refused for a reason that an operator can fix. Nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** The copy was refused, or has failed its check, for a reason that an operator can fix. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

/** The version that migrations have given a database. */
export interface SchemaState {
  /** The last migration that was applied; 0 if there is no schema of this service. */
  readonly version: number
  /** The version that a build must know to use it: later migrations have only added. */
  readonly needs: number
}

/** The state of a database, read without changing anything in it. */
export interface Inspection {
  /** Such as `PostgreSQL 17.2`. */
  readonly software: string
  /** Why the service cannot use this software; null if it can. */
  readonly tooOld: string | null
  /** 0 if there is no schema of this service yet. */
  readonly schemaVersion: number
  /** The version that a build must know to use it. */
  readonly neededVersion: number
  readonly latestVersion: number
  /** Why nothing can be written; null if it can. */
  readonly notWritable: string | null
}

/** One server of `DATABASE_READ_URL`. */
export interface StandbyInspection {
  /** Host and port. */
  readonly host: string
  /** Why it cannot be used; null if it can. */
  readonly unusable: string | null
  /** False if it is no copy of the primary; null if the servers do not say. */
  readonly isCopy: boolean | null
  readonly missingEvents: number
  /** Time since the first of them was written, in seconds; 0 if none is missing. */
  readonly behindSeconds: number
}
