export interface QuotaRequest {
  readonly caller: string
  /** The most that all nodes together may reserve in one window. */
  readonly limit: number
  readonly amount: number
  /** Milliseconds. A window starts with the first reservation after the last. */
  readonly window: number
}

export interface QuotaReservation {
  /** The amount requested, or what was left if less. */
  readonly amount: number
  /** The amount that other nodes can still reserve in this window. */
  readonly left: number
  readonly endsAt: number
}

/**
 * Limits that nodes share by reserving parts of a caller's quota in advance. Concurrent
 * reservations never exceed a window's limit. Unlike the rest of a store, quotas are not durable: a
 * crash of the database may start a new window.
 */
export interface Quotas {
  /** Reserves for distinct callers. Returns results in the order of the requests. */
  reserve(requests: readonly QuotaRequest[], now: number): Promise<QuotaReservation[]>
  deleteExpired(now: number): Promise<void>
}
