/** Requests that a node wants to reserve for one caller. */
export interface QuotaRequest {
  readonly caller: string
  /** The most that all nodes together may reserve for the caller in one window. */
  readonly limit: number
  readonly amount: number
  /** Window length in milliseconds. A window starts with the first reservation after the last. */
  readonly window: number
}

export interface QuotaReservation {
  /** The amount requested, or what was left if that was less. */
  readonly amount: number
  /** The amount that other nodes can still reserve in this window. */
  readonly left: number
  readonly endsAt: number
}

/**
 * Limits that several nodes share. Nodes reserve parts of a caller's quota and spend them without
 * asking again. Concurrent reservations never exceed the limit in one window. Unlike everything
 * else in a store, quotas are not durable: a crash of the database may start a new window.
 */
export interface Quotas {
  /**
   * Reserves for several callers, each named once. Returns results in the order of the requests.
   */
  reserve(requests: readonly QuotaRequest[], now: number): Promise<QuotaReservation[]>
  /** Deletes the quotas whose window has ended. */
  deleteExpired(now: number): Promise<void>
}
