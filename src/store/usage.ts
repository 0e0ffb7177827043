export interface UsageCount {
  readonly keyId: string
  /** UTC date, for example `2026-11-15`. */
  readonly day: string
  readonly requests: number
}

export interface Usage {
  addCounts(counts: readonly UsageCount[]): Promise<void>
  /** Counts requests with any key of the account. */
  countRequests(accountId: string, day: string): Promise<number>
}
