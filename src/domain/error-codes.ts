interface ErrorDescription {
  readonly status: number
  readonly title: string
  readonly meaning: string
}

/** Every error of the API: its code, its HTTP status, and what the client should do. */
export const ERRORS = {
  merged: {
    status: 301,
    title: 'The incident was merged into another',
    meaning:
      'Both told of the same event. `Location` is the address of the one that remains; delete your copy of this one.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A query parameter is wrong',
    meaning: '`errors` lists each wrong parameter and the values that it accepts.',
  },
  too_many_values: {
    status: 400,
    title: 'A list has too many values',
    meaning: '`errors` names the list and its maximum. Ask in several requests, or for a larger area.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    meaning: 'Cursors are opaque: send `next_cursor` unchanged, or start again without a cursor.',
  },
  cursor_of_another_query: {
    status: 400,
    title: 'The cursor belongs to another query',
    meaning: 'Send the same filters and the same order as for the first page.',
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
    meaning: 'Send `Authorization: Bearer <key>`. `POST /v1/keys` issues a key.',
  },
  malformed_key: {
    status: 401,
    title: 'That is not one of our keys',
    meaning: 'Keys begin with `inf_live_` or `inf_pub_`.',
  },
  mistyped_key: {
    status: 401,
    title: 'The key is mistyped',
    meaning: 'Its checksum is wrong: a character is missing, added or changed. Copy the key again.',
  },
  unknown_key: {
    status: 401,
    title: 'The key is not known',
    meaning: 'The key is well formed, but this service did not issue it.',
  },
  revoked_key: {
    status: 401,
    title: 'The key was revoked',
    meaning: 'Use another key of the account, or get a new one.',
  },
  expired_key: {
    status: 401,
    title: 'The key has expired',
    meaning: 'Its `expires_at` has passed, or it was rotated more than 24 hours ago.',
  },
  session_ended: {
    status: 401,
    title: 'The session has ended',
    meaning:
      'It was signed out, was not used for 12 hours, is older than 7 days, or its key was revoked. Sign in again.',
  },
  passkey_refused: {
    status: 401,
    title: 'The passkey was not accepted',
    meaning: 'The detail says why. Ask for new options and try again, or sign in another way.',
  },
  secret_key_in_url: {
    status: 401,
    title: 'A secret key stands in the URL',
    meaning: 'Logs and browser histories store URLs: rotate this key, and use a publishable key (`inf_pub_…`) in URLs.',
  },
  account_blocked: {
    status: 403,
    title: 'The account is blocked',
    meaning: 'The operator of this service has blocked the account and all its keys. Ask the operator.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key may not do this',
    meaning: 'The detail names the scope that the request needs.',
  },
  cross_origin_request: {
    status: 403,
    title: 'A page of another site sent this',
    meaning: 'A session can change things only from the pages of this service. Programs use a key.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'The key may not be used from here',
    meaning: 'This publishable key is restricted to other origins.',
  },
  signup_closed: {
    status: 403,
    title: 'Signing up is closed',
    meaning: 'Ask the operator of this service for a key.',
  },
  mail_not_set_up: {
    status: 403,
    title: 'This service sends no mail',
    meaning: 'Ask the operator of this service for a new key of your account.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'The path does not exist, or your account has no such resource.',
  },
  unknown_link: {
    status: 404,
    title: 'The sign-in link is not known',
    meaning: 'It is incomplete, or it is older than a day. Ask for another one.',
  },
  outside_nigeria: {
    status: 404,
    title: 'The point lies outside Nigeria',
    meaning: 'Check the order: latitude first, then longitude.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The `Allow` header lists the methods of this path.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not in a format that you accept',
    meaning: 'The detail lists the available formats: name one in `Accept` or in the parameter `format`.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long',
    meaning: 'Send the headers within 20 seconds and the whole request within 25.',
  },
  answer_redacted: {
    status: 410,
    title: 'The answer was removed',
    meaning:
      'The request was carried out before; an incident in its answer has been redacted since. Read the incident again.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'The same request is still running',
    meaning: 'Wait for the response to the first request, or repeat the request after a short time.',
  },
  name_taken: {
    status: 409,
    title: 'The name is taken',
    meaning: 'Another watch of your account has this name. Names are unique, because messages carry them.',
  },
  too_many_watches: {
    status: 409,
    title: 'Your account has as many watches as it may',
    meaning: 'Delete a watch, combine several filters in one watch, or ask the operator for a higher limit.',
  },
  too_many_keys: {
    status: 409,
    title: 'Your account has as many keys as it may',
    meaning: 'Revoke a key that you do not need: `DELETE /v1/keys/{id}`.',
  },
  too_many_passkeys: {
    status: 409,
    title: 'Your account has as many passkeys as it may',
    meaning: 'Remove one that you do not use: `DELETE /v1/passkeys/{id}`.',
  },
  account_exists: {
    status: 409,
    title: 'There is an account with this address',
    meaning: 'The detail names the account: change its role instead.',
  },
  last_key: {
    status: 409,
    title: 'This is the last key of your account',
    meaning: 'Without it only a mailed link or the operator gives access again. Send `?confirm=last` to revoke it.',
  },
  last_admin: {
    status: 409,
    title: 'This is the last admin',
    meaning: 'Make another account that can sign in an admin first.',
  },
  challenge_used: {
    status: 409,
    title: 'The challenge was answered before',
    meaning:
      'A challenge is good for one tip or addition. Repeating the same request gets the same answer; for other content ask for another challenge.',
  },
  too_many_additions: {
    status: 409,
    title: 'Nothing more can be added to the tip',
    meaning: 'Send what is new as another tip.',
  },
  watch_not_active: {
    status: 409,
    title: 'The watch is not active',
    meaning: 'Activate it first: `PATCH` with `"status": "active"`.',
  },
  not_redeliverable: {
    status: 409,
    title: 'The delivery cannot be sent again',
    meaning: 'Its incident was retracted since, or it was a test message: the detail says which.',
  },
  too_many_secrets: {
    status: 409,
    title: 'The watch has as many valid secrets as it may',
    meaning: 'Wait until old ones expire, 24 hours after they were replaced, or end them with `{"revoke": true}`.',
  },
  not_in_this_state: {
    status: 409,
    title: 'The incident is not in a state that allows this',
    meaning: 'The detail names its current state: another editor may already have changed it.',
  },
  claimed_by_another: {
    status: 409,
    title: 'Another editor has claimed the incident',
    meaning:
      'The detail says who, and until when. Wait, or take it over: `POST /v1/desk/incidents/{id}/claim` with `{"take_over": true}`.',
  },
  changed_since: {
    status: 409,
    title: 'The incident was changed since',
    meaning: 'Undoing the step would lose the later change, which the detail names. Undo that one first.',
  },
  not_undoable: {
    status: 409,
    title: 'The step cannot be undone',
    meaning: 'The detail says why: it is not a decision, was undone already, or is not the last one.',
  },
  retracted: {
    status: 410,
    title: 'The incident was retracted',
    meaning: 'It was published, but it was wrong. Delete your copy.',
  },
  used_link: {
    status: 410,
    title: 'The sign-in link was used',
    meaning: 'A link signs in once. Ask for another one.',
  },
  expired_link: {
    status: 410,
    title: 'The sign-in link has expired',
    meaning: 'Ask for another one, and open it in time.',
  },
  position_lost: {
    status: 410,
    title: 'The position is no longer there',
    meaning:
      'The service was restored from a backup that is older than this position. Rebuild your copy; the detail names the position from which you could continue.',
  },
  stale_version: {
    status: 412,
    title: 'Somebody else has changed it',
    meaning: 'Read the incident again, check what has changed, and send the new version in `If-Match`.',
  },
  body_too_large: { status: 413, title: 'The body is too large', meaning: 'A body may have at most 256 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of the wrong type',
    meaning: 'Send `Content-Type: application/json`.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies beyond the file',
    meaning: '`Content-Range` gives the length of the file.',
  },
  invalid_body: {
    status: 422,
    title: 'The body has wrong content',
    meaning: '`errors` lists each wrong field and the values that it accepts.',
  },
  too_much_work: {
    status: 422,
    title: 'The question needs too much work',
    meaning:
      'It would compare too many incidents with too large a shape. The detail says by how much: shorten the window of time, restrict states or types, or simplify the shape.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for another request',
    meaning: 'Use a new `Idempotency-Key` for each new request.',
  },
  version_required: {
    status: 428,
    title: 'The version is missing',
    meaning: 'Send `If-Match: "<version>"` with the version that you have read, so that no change of others is lost.',
  },
  rate_limited: { status: 429, title: 'Too many requests', meaning: 'Wait for the time in `Retry-After`.' },
  too_many_streams: {
    status: 429,
    title: 'Too many open streams',
    meaning:
      'Close a stream, or use one stream with several values in its filters. A lost connection counts until the service notices the loss.',
  },
  headers_too_large: { status: 431, title: 'The headers are too large', meaning: 'Shorten the URL or the headers.' },
  internal: {
    status: 500,
    title: 'Something went wrong here',
    meaning: 'This is a fault of the service: report it with the `request_id`.',
  },
  starting: {
    status: 503,
    title: 'The service is starting',
    meaning: 'The archive is being loaded. Try again after `Retry-After`.',
  },
  busy: {
    status: 503,
    title: 'Too many large questions at once',
    meaning:
      'Questions that read much of the archive take turns, and too many are waiting. Try again after `Retry-After`.',
  },
  streams_full: {
    status: 503,
    title: 'No more streams can be opened here',
    meaning: 'This node has reached its limit of open streams. Try again after `Retry-After`.',
  },
  mail_unavailable: {
    status: 503,
    title: 'The mail cannot be sent',
    meaning: 'The mail server cannot be reached. No key was issued. Try again after `Retry-After`.',
  },
  store_full: {
    status: 503,
    title: 'The disk is full',
    meaning: 'Nothing was written. The operator must free disk space. Try again after `Retry-After`.',
  },
  store_unavailable: {
    status: 503,
    title: 'The database is away',
    meaning: 'Nothing was written. Try again after `Retry-After`.',
  },
} as const satisfies Record<string, ErrorDescription>
export type ErrorCode = keyof typeof ERRORS
