/**
 * The due time of pending deliveries whose watch is paused or disabled: far beyond any clock, so
 * that leasing never meets them. Resuming the watch makes them due.
 */
export const PARKED_DUE_AT = Date.UTC(9999, 0)
