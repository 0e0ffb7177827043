export interface UsageCount {
  readonly keyId: string
  /** UTC date, for example `2026-11-15`. */
  readonly day: string
  readonly requests: number
}

export interface Usage {
  /** Adds the counts to the stored ones. */
  addCounts(counts: readonly UsageCount[]): Promise<void>
  /** Returns the number of requests with any key of the account on that day. */
  countRequests(accountId: string, day: string): Promise<number>
}
