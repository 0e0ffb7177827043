/** The settings of a client. */
export interface IncidentFeedOptions {
  /** Your key, `inf_live_…` or in web pages `inf_pub_…`. Without one, only `keys.create` works. */
  readonly key?: string | undefined
  /** The address of the service, such as `https://feed.example.org`. */
  readonly baseUrl: string | URL
  /** The most times that a failed request is sent again. Default: 3. */
  readonly maxRetries?: number | undefined
  /** The time for one attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Another `fetch`, for tests, proxies or logging. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** The last argument of every call. */
export interface CallOptions {
  /**
   * Aborts the call, its retries and its waiting included; the call then throws the signal's
   * reason.
   */
  readonly signal?: AbortSignal | undefined
  /** Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined
  /** Replaces the client's `maxRetries`. */
  readonly maxRetries?: number | undefined
}

/** Of a call that writes. */
export interface WriteOptions extends CallOptions {
  /**
   * A key of your own, at most 255 characters: a repetition with it, by another process too, gets
   * the first answer. Without one, the client makes a random one, so that its own retries never
   * write twice.
   */
  readonly idempotencyKey?: string | undefined
}
