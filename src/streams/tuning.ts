/** What may be set otherwise; times in milliseconds. */
export interface StreamLimits {
  /** How often an idle reader hears that the line is alive. */
  readonly heartbeatIntervalMs: number
  /** After at most this long a reader is asked to come back: on another node, perhaps. */
  readonly maxDurationMs: number
  /** A reader that lets more bytes than this wait is cut off. */
  readonly maxBufferedBytes: number
  /** A reader further behind than this many events begins anew. */
  readonly maxReplayedEvents: number
}

export const STREAM_TUNING: StreamLimits = {
  heartbeatIntervalMs: 15_000,
  maxDurationMs: 30 * 60_000,
  maxBufferedBytes: 128 * 1024,
  maxReplayedEvents: 10_000,
}
