/** What a node wants to have for one caller. */
export interface QuotaRequest {
  readonly caller: string
  /** How much all nodes together may draw for the caller within one window. */
  readonly limit: number
  readonly amount: number
  /** In milliseconds. A window begins with the first draw after the last one has ended. */
  readonly window: number
}

export interface QuotaReservation {
  /** What was asked for, or what was left where that was less. */
  readonly amount: number
  /** What others may still draw in this window. */
  readonly left: number
  readonly endsAt: number
}

/**
 * Limits that several nodes share: for each caller one account, from which nodes draw and spend by themselves. However many draw at
 * once, no more than the limit goes out in one window. Unlike all else that a store keeps it is not durable: a window may begin anew
 * where the database crashes.
 */
export interface Quotas {
  /** For several callers at once, each named once; answers in the same order. */
  reserve(draws: readonly QuotaRequest[], now: number): Promise<QuotaReservation[]>
  /** Deletes the accounts whose window has ended. */
  deleteExpired(now: number): Promise<void>
}
