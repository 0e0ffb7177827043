import type { Dispatch, NewDelivery } from './deliveries.ts'

/** The position in the event log up to which deliveries are written. */
export interface FanOutPosition {
  /** Deliveries are written for every event up to this one … */
  readonly seq: number
  /** … and for the next event, for the watches up to this id, in id order. Null: for none yet. */
  readonly afterWatchId: string | null
}

export interface FanOutChunk {
  readonly from: FanOutPosition
  readonly to: FanOutPosition
  readonly deliveries: readonly NewDelivery[]
}

/** Turns events into deliveries. One process does so at a time, over all nodes. */
export interface FanOut {
  /**
   * Acquires or extends the lease and returns the position to continue from. Returns null while
   * another owner's lease is valid; any process may acquire an expired one.
   */
  lease(owner: string, now: number, until: number): Promise<FanOutPosition | null>
  /** Ends the lease early, so that the next process need not wait until it expires. */
  release(owner: string): Promise<void>
  /**
   * Writes the chunk's deliveries and moves the position in one transaction. Returns null, and
   * writes nothing, if another owner holds the lease or the position is not `from`.
   *
   * Each watch's `sequence` grows by one per delivery, in event order, without a gap. Skipped are
   * events that the watch already has a delivery for, events no later than the watch itself, and
   * watches that were removed, paused or disabled; `deliveries.add` writes what those missed.
   *
   * The deliveries are leased to the caller until `leaseUntil`; if that is null, they are due at
   * once for any process.
   */
  write(owner: string, chunk: FanOutChunk, now: number, leaseUntil: number | null): Promise<Dispatch[] | null>
}
