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

/** The state of a database, read without changing anything in it. */
export interface Inspection {
  /** Such as `PostgreSQL 17.2`. */
  readonly software: string
  /** Why the service cannot use this software; null if it can. */
  readonly tooOld: string | null
  /** 0 if there is no schema of this service yet. */
  readonly schemaVersion: number
  readonly latestVersion: number
  /** Why nothing can be written; null if it can. */
  readonly notWritable: string | null
}
