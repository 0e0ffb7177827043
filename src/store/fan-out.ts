import type { WatchEvent } from '../domain/watch.ts'
import type { Dispatch } from './deliveries.ts'

/** How far deliveries have been written. */
export interface FanOutPosition {
  /** Everything up to this event is written … */
  readonly seq: number
  /** … and of the one after it, for the watches up to this one, in the order of their ids. Null: none yet. */
  readonly afterWatchId: string | null
}

/** One event owed to one watch, not yet a delivery. */
export interface NewDelivery {
  /** The delivery's, once it is one. */
  readonly id: string
  readonly watchId: string
  readonly eventSeq: number
  readonly kind: WatchEvent
  readonly critical: boolean
}

export interface FanOutChunk {
  readonly from: FanOutPosition
  readonly to: FanOutPosition
  readonly deliveries: readonly NewDelivery[]
}

/** Makes deliveries of events: one process at a time, over all nodes. */
export interface FanOut {
  /**
   * Takes the work, or keeps it for longer: the position to go on from. Null while another owner's lease holds; one that
   * ended is anybody's.
   */
  lease(owner: string, now: number, until: number): Promise<FanOutPosition | null>
  /** Lets go of it, so that another need not wait for the lease to end. */
  release(owner: string): Promise<void>
  /**
   * Writes the chunk's deliveries and moves the position, together. Null, and nothing written, where another owner has
   * taken over or the position is not `from`.
   *
   * Each watch's `sequence` goes on by one for each delivery, in the order of events, without a gap. Left out are events
   * that a watch has a delivery for, or that are no later than the watch itself, and watches that are gone, paused or
   * disabled: such a watch is owed nothing, and what it missed is for `deliveries.add`.
   *
   * The deliveries written are the caller's until `leaseUntil`; where that is null they are due for whoever leases them.
   */
  write(owner: string, chunk: FanOutChunk, now: number, leaseUntil: number | null): Promise<Dispatch[] | null>
}
