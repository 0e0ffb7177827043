/** Why an attempt had no answer, in words for the watch's owner. */
export const FAILURES = {
  timeout: 'The endpoint did not answer in time.',
  unknown_host: 'The host has no address.',
  refused_address: 'The host leads to an address that nothing may be sent to.',
  connection_refused: 'Nothing accepts connections there.',
  unreachable: 'The host cannot be reached.',
  connection_closed: 'The endpoint closed the connection before it had answered.',
  bad_certificate: "The endpoint's certificate is not trusted.",
  no_tls: 'No secure connection could be agreed on.',
  malformed_answer: 'The answer is not HTTP, or its headers are too large.',
  failed: 'The request failed.',
} as const
export type Failure = keyof typeof FAILURES

/** One POST to an endpoint, and how it went: either a status or a failure. */
export interface SendResult {
  readonly startedAt: number
  readonly durationMs: number
  readonly status: number | null
  readonly failure: Failure | null
  /** What happened, as a sentence. */
  readonly message: string
  /** The beginning of the answer's body, as text. */
  readonly answer: string
  /** The answer's `Retry-After`, as it came. */
  readonly retryAfter: string | null
}
