/** A restore's gap in `seq`: more than a store writes between backups, far below 2^53. */
export const RESTORE_GAP = 10_000_000
