/** What may be set otherwise; times in milliseconds. */
export interface StreamTuning {
  /** How often an idle reader hears that the line is alive. */
  readonly heartbeatEvery: number
  /** After at most this long a reader is asked to come back: on another node, perhaps. */
  readonly longest: number
  /** A reader that lets more bytes than this wait is cut off. */
  readonly mostWaiting: number
  /** A reader further behind than this many events begins anew. */
  readonly mostReplayed: number
}

export const STREAM_TUNING: StreamTuning = {
  heartbeatEvery: 15_000,
  longest: 30 * 60_000,
  mostWaiting: 128 * 1024,
  mostReplayed: 10_000,
}
