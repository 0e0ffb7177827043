export interface StreamLimits {
  /** Interval of heartbeats, which show that the connection is alive and how current it is. */
  readonly heartbeatIntervalMs: number
  /** After at most this time a client must reconnect, possibly to another node. */
  readonly maxDurationMs: number
  /** A client with more unread bytes than this is disconnected. */
  readonly maxBufferedBytes: number
  /** A client further behind than this must list again. */
  readonly maxReplayedEvents: number
}

export const STREAM_LIMITS: StreamLimits = {
  heartbeatIntervalMs: 15_000,
  maxDurationMs: 30 * 60_000,
  maxBufferedBytes: 128 * 1024,
  maxReplayedEvents: 10_000,
}
