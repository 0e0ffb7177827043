import type { Delivery } from '../domain/delivery.ts'

/** The position of a listener in what is sent. */
export interface ListeningPosition {
  /** The last event. */
  readonly seq: number
  /** The last message that an owner asked for: a test, or a redelivery. */
  readonly resent: number
}

export interface ListeningHeads {
  /** The log's last event. */
  readonly logged: number
  /** The deliveries of all events up to this one are written. */
  readonly written: number
  readonly resent: number
}

export interface ResentDelivery {
  readonly resent: number
  readonly delivery: Delivery
}

/**
 * The log that a listener follows. Messages that owners ask for are numbered 1, 2, 3 … over all
 * watches, in commit order: a reader that has seen n never finds a lower one afterwards. A delivery
 * keeps the number of its last one.
 */
export interface Listening {
  heads(): Promise<ListeningHeads>
  /** Returns up to `limit` messages of the watch with a higher number, in order. */
  resentAfter(accountId: string, watchId: string, resent: number, limit: number): Promise<ResentDelivery[]>
}
