export interface UsageCount {
  /** A key; for sessions without a key, the account. */
  readonly keyId: string
  /** UTC date, for example `2026-11-15`. */
  readonly day: string
  readonly requests: number
  /** Time of the last of these requests. */
  readonly lastAt: number
}

export interface DayUsage {
  readonly day: string
  readonly requests: number
}

export interface KeyUsage {
  readonly keyId: string
  readonly requests: number
  readonly lastUsedAt: number | null
}

export interface Usage {
  addCounts(counts: readonly UsageCount[]): Promise<void>
  /** Counts requests with any key of the account. */
  countRequests(accountId: string, day: string): Promise<number>
  /** Days with requests by any key of the account, from `fromDay`, in order. */
  byDay(accountId: string, fromDay: string): Promise<DayUsage[]>
  /** Requests from `fromDay`, and the last use ever, of the keys that were used. */
  byKey(keyIds: readonly string[], fromDay: string): Promise<KeyUsage[]>
  /** Requests from `fromDay` of the accounts that made any. */
  byAccount(accountIds: readonly string[], fromDay: string): Promise<{ accountId: string; requests: number }[]>
}
