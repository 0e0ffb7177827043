/**
 * The gap in `seq` that a restored store leaves: larger than what any store writes between two
 * backups, and far below the largest integer that clients can hold.
 */
export const RESTORE_GAP = 10_000_000
