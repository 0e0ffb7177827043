export const BULK_MOVES = ['confirm', 'reject', 'retract', 'reopen', 'restore', 'claim', 'release'] as const
export type BulkMove = (typeof BULK_MOVES)[number]
