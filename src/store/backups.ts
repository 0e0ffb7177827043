/** The record of backups; `backup/record.ts` writes it. */
export interface Backups {
  /** The time of the last backup; null if none is on record. */
  lastTakenAt(): Promise<number | null>
}
