/** How far a restored store skips ahead: more than any has written since its last backup, and far below what a client's integers hold. */
export const RESTORE_GAP = 10_000_000
