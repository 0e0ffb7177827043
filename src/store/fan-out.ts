import type { Dispatch, NewDelivery } from './deliveries.ts'

/** The position up to which deliveries are written. */
export interface FanOutPosition {
  /** All events up to this one are done … */
  readonly seq: number
  /** … and of the next event, the watches up to this id, in id order; null if none. */
  readonly afterWatchId: string | null
}

export interface FanOutChunk {
  readonly from: FanOutPosition
  readonly to: FanOutPosition
  readonly deliveries: readonly NewDelivery[]
}

/** Turns events into deliveries, in one process at a time over all nodes. */
export interface FanOut {
  /** Acquires or extends the lease and returns the position; null if another owner's is valid. */
  lease(owner: string, now: number, until: number): Promise<FanOutPosition | null>
  /** Ends the lease early, so that the next process need not wait. */
  release(owner: string): Promise<void>
  /**
   * Writes the chunk's deliveries and moves the position in one transaction. Returns null, and
   * writes nothing, if another owner holds the lease or the position is not `from`. Each watch's
   * `sequence` grows by one per delivery, in event order, without a gap. Skips events that the
   * watch has a delivery for or that are no later than the watch, and watches that are removed,
   * paused or disabled; `deliveries.add` writes what those missed. The deliveries are leased to the
   * caller until `leaseUntil`, or due at once if that is null; those with a `dueAt` fall due then.
   */
  write(owner: string, chunk: FanOutChunk, now: number, leaseUntil: number | null): Promise<Dispatch[] | null>
}
