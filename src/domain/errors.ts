interface ErrorDescription {
  readonly status: number
  readonly title: string
  readonly meaning: string
}

/** Every way in which the service says no: the code on the wire, its status, and what the reader should do. */
export const ERRORS = {
  invalid_parameter: {
    status: 400,
    title: 'A query parameter is wrong',
    meaning: '`errors` names each one and says what would be right.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    meaning: 'Cursors are opaque: pass `next_cursor` on as it was given, or start again without one.',
  },
  cursor_of_another_query: {
    status: 400,
    title: 'The cursor belongs to another query',
    meaning: 'Repeat the filters and the order that the first page was asked with.',
  },
  malformed_request: {
    status: 400,
    title: 'The request cannot be read',
    meaning: 'It is not valid HTTP, its path is not valid UTF-8, or a header is malformed.',
  },
  malformed_json: { status: 400, title: 'The body is not JSON', meaning: 'Send one JSON value in UTF-8.' },
  missing_key: {
    status: 401,
    title: 'A key is needed',
    meaning: 'Send `Authorization: Bearer <key>`. `POST /v1/keys` gives you one.',
  },
  malformed_key: {
    status: 401,
    title: 'That is not one of our keys',
    meaning: 'Keys begin with `inf_live_` or `inf_pub_`.',
  },
  mistyped_key: {
    status: 401,
    title: 'The key is mistyped',
    meaning: 'Its checksum does not fit: a character is missing, added or changed. Copy it again.',
  },
  unknown_key: { status: 401, title: 'The key is not known', meaning: 'It is well formed, but was never issued here.' },
  revoked_key: {
    status: 401,
    title: 'The key was revoked',
    meaning: 'Use another key of the account, or get a new one.',
  },
  expired_key: {
    status: 401,
    title: 'The key has expired',
    meaning: 'It passed its `expires_at`, or was rotated over 24 hours ago.',
  },
  secret_key_in_url: {
    status: 401,
    title: 'A secret key stands in the URL',
    meaning: 'Logs and histories keep URLs: rotate that key, and use a publishable one (`inf_pub_…`) there.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key may not do this',
    meaning: 'The detail names the scope that is needed.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'The key may not be used from here',
    meaning: 'This publishable key is bound to other origins.',
  },
  signup_closed: {
    status: 403,
    title: 'Signing up is closed',
    meaning: 'The operator of this service issues keys by hand.',
  },
  not_found: { status: 404, title: 'Not found', meaning: 'No such path, or no such thing in your account.' },
  outside_nigeria: {
    status: 404,
    title: 'The point lies outside Nigeria',
    meaning: 'Check the order: latitude first, then longitude.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The `Allow` header lists what this path takes.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not in a format that you accept',
    meaning: 'The detail lists the formats there are: name one in `Accept` or as `format`.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is still running',
    meaning: 'Wait for its answer, or repeat it shortly.',
  },
  name_taken: {
    status: 409,
    title: 'The name is taken',
    meaning: 'Another watch of your account has it: names tell them apart in messages.',
  },
  too_many_watches: {
    status: 409,
    title: 'Your account has as many watches as it may',
    meaning: 'Delete one, put several filters into one, or ask the operator.',
  },
  watch_not_active: {
    status: 409,
    title: 'The watch is not active',
    meaning: 'Resume it first: `PATCH` with `"status": "active"`.',
  },
  not_in_this_state: {
    status: 409,
    title: 'The incident is not in a state that allows this',
    meaning: 'The detail names the state it is in: somebody else may have decided already.',
  },
  retracted: {
    status: 410,
    title: 'The incident was retracted',
    meaning: 'It was published and turned out to be wrong. Delete your copy.',
  },
  position_lost: {
    status: 410,
    title: 'The position is no longer there',
    meaning:
      'The service was restored from a backup made before it. Build your copy anew; the detail says from where you could go on.',
  },
  stale_version: {
    status: 412,
    title: 'Somebody else has changed it',
    meaning: 'Read it again, look at what has changed, and send the new version in `If-Match`.',
  },
  body_too_large: { status: 413, title: 'The body is too large', meaning: 'Bodies may have up to 256 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of the wrong type',
    meaning: 'Send `Content-Type: application/json`.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies beyond the file',
    meaning: '`Content-Range` says how long the file is.',
  },
  invalid_body: {
    status: 422,
    title: 'The body has wrong content',
    meaning: '`errors` points at each field and says what would be right.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request',
    meaning: 'Take a new `Idempotency-Key` for each new request.',
  },
  version_required: {
    status: 428,
    title: 'The version is missing',
    meaning: 'Send `If-Match: "<version>"` with the version that you looked at, so that no change is lost.',
  },
  rate_limited: { status: 429, title: 'Too many requests', meaning: 'Wait as long as `Retry-After` says.' },
  too_many_streams: {
    status: 429,
    title: 'Too many open streams',
    meaning:
      'Close one, or let one stream with several values in its filters do. A line that was lost counts until it is noticed.',
  },
  headers_too_large: { status: 431, title: 'The headers are too large', meaning: 'Shorten the URL or the headers.' },
  internal: {
    status: 500,
    title: 'Something went wrong here',
    meaning: 'Ours to mend: report it with the `request_id`.',
  },
  starting: {
    status: 503,
    title: 'The service is starting',
    meaning: 'The archive is being loaded; `Retry-After` says when to come back.',
  },
  streams_full: {
    status: 503,
    title: 'No more streams can be opened here',
    meaning: 'This node has as many open as it can serve. Try again after `Retry-After`.',
  },
  mail_unavailable: {
    status: 503,
    title: 'The mail cannot be sent',
    meaning: 'The mail server is away. No key was given; try again after `Retry-After`.',
  },
  store_full: {
    status: 503,
    title: 'The disk is full',
    meaning: 'Nothing was written. The operator has to make room; try again after `Retry-After`.',
  },
  store_unavailable: {
    status: 503,
    title: 'The database is away',
    meaning: 'Nothing was written. Try again after `Retry-After`.',
  },
} as const satisfies Record<string, ErrorDescription>
export type ErrorCode = keyof typeof ERRORS

/** What is wrong with one part of the input, and what would be right. */
export interface FieldError {
  readonly parameter?: string
  readonly pointer?: string
  readonly message: string
  readonly allowed?: readonly string[]
  readonly did_you_mean?: readonly string[]
}

/** A refusal, on its way to the client. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: string,
    more: { errors?: readonly FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.code = code
    this.errors = more.errors ?? []
    this.headers = more.headers ?? {}
  }
}

/** A body whose content is wrong, with everything that is wrong with it. */
export function invalidBody(errors: readonly FieldError[]): Problem {
  const sentences = errors.map(({ pointer, message }) => `${pointer || 'the body'} ${message}`)
  return new Problem('invalid_body', `${sentences.join('; ')}.`, { errors })
}
