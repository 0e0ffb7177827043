/** What is on record about backups; `backup/record.ts` writes it. */
export interface Backups {
  /** When the last backup was taken; null if none is on record. */
  lastTakenAt(): Promise<number | null>
}
