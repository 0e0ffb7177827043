/** The number of heartbeats that a process has recorded. */
export interface OwnerHeartbeat {
  readonly owner: string
  readonly beats: number
}

/** The processes that hold leases. */
export interface Owners {
  /**
   * Counts one more heartbeat of the owner and returns the heartbeats of all owners, its own
   * included. The caller detects dead owners by counts that do not change, so that the clocks of
   * two machines are never compared.
   */
  recordHeartbeat(owner: string): Promise<OwnerHeartbeat[]>
  /**
   * Releases the owner's leases: its deliveries are due at once, and any process may lease the
   * fan-out. Returns false, and releases nothing, if the owner has recorded another heartbeat
   * since, or if another process has released its leases first.
   */
  releaseLeases(heartbeat: OwnerHeartbeat, now: number): Promise<boolean>
}
