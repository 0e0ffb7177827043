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
