/** Reasons why an attempt got no answer, as sentences for the watch's owner. */
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

/** The endpoint's reaction to one POST: an answer with a status, or a failure without one. */
export type EndpointReply =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** A sentence for the watch's owner. */
      readonly message: string
      /** The beginning of the response body, as text. */
      readonly body: string
      /** The `Retry-After` header as received. */
      readonly retryAfter: string | null
      /** True if no later attempt can succeed, whatever the status. */
      readonly gone?: true
    }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly message: string }

export type SendResult = EndpointReply & { readonly startedAt: number; readonly durationMs: number }
