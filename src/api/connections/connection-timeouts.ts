export interface ConnectionTimeouts {
  /** Time for the request line and the headers. */
  readonly headersMs: number
  /** Time for the whole request. */
  readonly requestMs: number
  /** Interval at which Node looks for requests that take longer; both times are exceeded by it. */
  readonly checkIntervalMs: number
  /** Idle time between two requests. Longer than the 60 s of usual proxies, so that they close. */
  readonly keepAliveMs: number
  /** A connection without any byte in either direction is closed after this; streams send more. */
  readonly silenceMs: number
  /** A client with unread bytes must take `slowReaderBytes` within this time, or all of them. */
  readonly slowReaderMs: number
  readonly slowReaderBytes: number
  /** Time for a refused client to read the answer and close. */
  readonly lingerMs: number
}

/** Without `headersMs` and `checkIntervalMs`, Node's own 60 s and 30 s apply to slow bodies too. */
export const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  headersMs: 20_000,
  requestMs: 25_000,
  checkIntervalMs: 5_000,
  keepAliveMs: 72_000,
  silenceMs: 45_000,
  slowReaderMs: 300_000,
  slowReaderBytes: 256 * 1024,
  lingerMs: 1000,
}
