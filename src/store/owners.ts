/** How often a process has said that it is alive. */
export interface OwnerHeartbeat {
  readonly owner: string
  readonly beats: number
}

/** The processes that hold leases. */
export interface Owners {
  /**
   * One more beat of the owner's, and every owner's pulse, its own too. Who has died is for the caller to tell, by beats that
   * stand still: no two machines' clocks are compared.
   */
  recordHeartbeat(owner: string): Promise<OwnerHeartbeat[]>
  /**
   * Frees what the owner holds: its deliveries are due at once, the fan-out is anybody's. False, and nothing is freed, where
   * it has beaten since, or another was first.
   */
  releaseLeases(pulse: OwnerHeartbeat, now: number): Promise<boolean>
}
