export interface OwnerHeartbeat {
  readonly owner: string
  readonly beats: number
}

/** The processes that hold leases. */
export interface Owners {
  /**
   * Counts a heartbeat of the owner and returns those of all owners. The caller detects dead owners
   * by counts that do not change, so clocks of two machines are never compared.
   */
  recordHeartbeat(owner: string): Promise<OwnerHeartbeat[]>
  /**
   * Releases the leases of the owner's deliveries, of the fan-out and of polling. Returns false,
   * and releases nothing, if it has recorded another heartbeat, or another process was first.
   */
  releaseLeases(heartbeat: OwnerHeartbeat, now: number): Promise<boolean>
}
