/** The errors of the API by HTTP status: each code with its title and what the client should do. */
const TABLE = {
  301: {
    merged: [
      'The incident was merged into another',
      'Both told of the same event. `Location` is the address of the one that remains; delete your copy of this one.',
    ],
  },
  400: {
    invalid_parameter: [
      'A query parameter is wrong',
      '`errors` lists each wrong parameter and the values that it accepts.',
    ],
    too_many_values: [
      'A list has too many values',
      '`errors` names the list and its maximum. Ask in several requests, or for a larger area.',
    ],
    invalid_cursor: [
      'The cursor is not valid',
      'Cursors are opaque: send `next_cursor` unchanged, or start again without a cursor.',
    ],
    cursor_of_another_query: [
      'The cursor belongs to another query',
      'Send the same filters and the same order as for the first page.',
    ],
    malformed_request: [
      'The request cannot be read',
      'It is not valid HTTP, its path is not valid UTF-8, or a header is malformed.',
    ],
    malformed_json: ['The body is not JSON', 'Send one JSON value in UTF-8.'],
  },
  401: {
    missing_key: ['A key is needed', 'Send `Authorization: Bearer <key>`. `POST /v1/keys` issues a key.'],
    malformed_key: ['That is not one of our keys', 'Keys begin with `inf_live_` or `inf_pub_`.'],
    mistyped_key: [
      'The key is mistyped',
      'Its checksum is wrong: a character is missing, added or changed. Copy the key again.',
    ],
    unknown_key: ['The key is not known', 'The key is well formed, but this service did not issue it.'],
    revoked_key: ['The key was revoked', 'Use another key of the account, or get a new one.'],
    expired_key: ['The key has expired', 'Its `expires_at` has passed, or it was rotated more than 24 hours ago.'],
    session_ended: [
      'The session has ended',
      'It was signed out, was not used for 12 hours, is older than 7 days, or its key was revoked. Sign in again.',
    ],
    passkey_refused: [
      'The passkey was not accepted',
      'The detail says why. Ask for new options and try again, or sign in another way.',
    ],
    secret_key_in_url: [
      'A secret key stands in the URL',
      'Logs and browser histories store URLs: rotate this key, and use a publishable key (`inf_pub_…`) in URLs.',
    ],
  },
  403: {
    account_blocked: [
      'The account is blocked',
      'The operator of this service has blocked the account and all its keys. Ask the operator.',
    ],
    insufficient_scope: ['The key may not do this', 'The detail names the scope that the request needs.'],
    cross_origin_request: [
      'A page of another site sent this',
      'A session can change things only from the pages of this service. Programs use a key.',
    ],
    origin_not_allowed: ['The key may not be used from here', 'This publishable key is restricted to other origins.'],
    signup_closed: ['Signing up is closed', 'Ask the operator of this service for a key.'],
    mail_not_set_up: ['This service sends no mail', 'Ask the operator of this service for a new key of your account.'],
  },
  404: {
    not_found: ['Not found', 'The path does not exist, or your account has no such resource.'],
    unknown_link: [
      'The sign-in link is not known',
      'It is incomplete, or it is older than a day. Ask for another one.',
    ],
    outside_nigeria: ['The point lies outside Nigeria', 'Check the order: latitude first, then longitude.'],
  },
  405: {
    method_not_allowed: ['Method not allowed', 'The `Allow` header lists the methods of this path.'],
  },
  406: {
    not_acceptable: [
      'Not in a format that you accept',
      'The detail lists the available formats: name one in `Accept` or in the parameter `format`.',
    ],
  },
  408: {
    request_timeout: [
      'The request took too long',
      'Send the headers within 20 seconds and the whole request within 25.',
    ],
  },
  409: {
    idempotency_key_in_use: [
      'The same request is still running',
      'Wait for the response to the first request, or repeat the request after a short time.',
    ],
    too_many_keys: [
      'Your account has as many keys as it may',
      'Revoke a key that you do not need: `DELETE /v1/keys/{id}`.',
    ],
    too_many_passkeys: [
      'Your account has as many passkeys as it may',
      'Remove one that you do not use: `DELETE /v1/passkeys/{id}`.',
    ],
    source_exists: [
      'There is a source with this address',
      'Change that source instead: `GET /v1/admin/sources` lists it.',
    ],
    too_many_sources: [
      'There are as many news sources as there can be',
      'Remove a source that brings nothing: `DELETE /v1/admin/sources/{id}`.',
    ],
    account_exists: ['There is an account with this address', 'The detail names the account: change its role instead.'],
    has_desk_role: [
      'The account has a role at the desk',
      'It cannot be deleted while it is a reporter, editor or admin. An admin makes it a client first.',
    ],
    last_key: [
      'This is the last key of your account',
      'Without it only a mailed link or the operator gives access again. Send `?confirm=last` to revoke it.',
    ],
    last_admin: ['This is the last admin', 'Make another account that can sign in an admin first.'],
    not_in_this_state: [
      'The incident is not in a state that allows this',
      'The detail names its current state: another editor may already have changed it.',
    ],
    claimed_by_another: [
      'Another editor has claimed the incident',
      'The detail says who, and until when. Wait, or take it over: `POST /v1/desk/incidents/{id}/claim` with `{"take_over": true}`.',
    ],
    changed_since: [
      'The incident was changed since',
      'Undoing the step would lose the later change, which the detail names. Undo that one first.',
    ],
    not_undoable: [
      'The step cannot be undone',
      'The detail says why: it is not a decision, was undone already, or is not the last one.',
    ],
    challenge_used: [
      'The challenge was answered before',
      'A challenge is good for one tip or addition. Repeating the same request gets the same answer; for other content ask for another challenge.',
    ],
    too_many_additions: ['Nothing more can be added to the tip', 'Send what is new as another tip.'],
    too_many_places: [
      'The desk has added as many places as it may',
      'Remove places that are not needed, or have the operator import a file: `incident-feed places import`.',
    ],
    name_taken: [
      'The name is taken',
      'Another watch (or, for a saved area or list of sites, another of these) of your account has this name. Names are unique, because messages carry them.',
    ],
    area_in_use: ['Watches use this area', 'The detail names them. Give them another filter, or delete them, first.'],
    too_many_areas: [
      'Your account has as many saved areas as it may',
      'Delete an area that you do not need: `DELETE /v1/areas/{id}`.',
    ],
    sites_in_use: [
      'Watches use this list of sites',
      'The detail names them. Give them another filter, or delete them, first.',
    ],
    too_many_site_lists: [
      'Your account has as many lists of sites as it may',
      'Delete a list that you do not need: `DELETE /v1/sites/{id}`.',
    ],
    too_many_watches: [
      'Your account has as many watches as it may',
      'Delete a watch, combine several filters in one watch, or ask the operator for a higher limit.',
    ],
    too_many_alerts: [
      'The browser has as many alerts as it may',
      'End one: `/alerts` lists those of the browser in which it is opened.',
    ],
    not_a_webhook: [
      'The watch is not a webhook',
      'Only messages of webhooks are signed, and only these can be listened to.',
    ],
    channel_unavailable: [
      'The channel cannot be used',
      'The operator has not set it up, or it does not answer: the detail says which.',
    ],
    address_not_confirmed: [
      'The address of your account is not confirmed',
      'Mails go only to an address that a mailed link has shown to be yours: sign in once with the link that `/sign-in` mails.',
    ],
    code_needed: [
      'The chat must agree',
      'A code was sent to the chat. Send the request again with it as `channel.code`; this shows that somebody there wants the messages.',
    ],
    watch_not_active: ['The watch is not active', 'Activate it first: `PATCH` with `"status": "active"`.'],
    not_redeliverable: [
      'The delivery cannot be sent again',
      'Its incident was retracted since, or it was a test message: the detail says which.',
    ],
    too_many_secrets: [
      'The watch has as many valid secrets as it may',
      'Wait until old ones expire, 24 hours after they were replaced, or end them with `{"revoke": true}`.',
    ],
  },
  410: {
    answer_redacted: [
      'The answer was removed',
      'The request was carried out before; an incident in its answer has been redacted since. Read the incident again.',
    ],
    used_link: ['The sign-in link was used', 'A link signs in once. Ask for another one.'],
    expired_link: ['The sign-in link has expired', 'Ask for another one, and open it in time.'],
    retracted: ['The incident was retracted', 'It was published, but it was wrong. Delete your copy.'],
    position_lost: [
      'The position is no longer there',
      'The service was restored from a backup that is older than this position. Rebuild your copy; the detail names the position from which you could continue.',
    ],
  },
  412: {
    stale_version: [
      'Somebody else has changed it',
      'Read the incident again, check what has changed, and send the new version in `If-Match`.',
    ],
  },
  413: {
    body_too_large: ['The body is too large', 'A body may have at most 256 KiB.'],
  },
  415: {
    unsupported_media_type: ['The body is of the wrong type', 'Send `Content-Type: application/json`.'],
  },
  416: {
    range_not_satisfiable: ['The range lies beyond the file', '`Content-Range` gives the length of the file.'],
  },
  422: {
    invalid_body: ['The body has wrong content', '`errors` lists each wrong field and the values that it accepts.'],
    too_much_work: [
      'The question needs too much work',
      'It would compare too many incidents with too large a shape. The detail says by how much: shorten the window of time, restrict states or types, or simplify the shape.',
    ],
    idempotency_key_reused: [
      'The idempotency key was used for another request',
      'Use a new `Idempotency-Key` for each new request.',
    ],
  },
  428: {
    version_required: [
      'The version is missing',
      'Send `If-Match: "<version>"` with the version that you have read, so that no change of others is lost.',
    ],
  },
  429: {
    rate_limited: ['Too many requests', 'Wait for the time in `Retry-After`.'],
    too_many_streams: [
      'Too many open streams',
      'Close a stream, or use one stream with several values in its filters. A lost connection counts until the service notices the loss.',
    ],
  },
  431: {
    headers_too_large: ['The headers are too large', 'Shorten the URL or the headers.'],
  },
  500: {
    internal: ['Something went wrong here', 'This is a fault of the service: report it with the `request_id`.'],
  },
  503: {
    starting: ['The service is starting', 'The archive is being loaded. Try again after `Retry-After`.'],
    busy: [
      'Too many large questions at once',
      'Questions that read much of the archive take turns, and too many are waiting. Try again after `Retry-After`.',
    ],
    streams_full: [
      'No more streams can be opened here',
      'This node has reached its limit of open streams. Try again after `Retry-After`.',
    ],
    mail_unavailable: [
      'The mail cannot be sent',
      'The mail server cannot be reached. No key was issued. Try again after `Retry-After`.',
    ],
    store_full: [
      'The disk is full',
      'Nothing was written. The operator must free disk space. Try again after `Retry-After`.',
    ],
    store_unavailable: ['The database is away', 'Nothing was written. Try again after `Retry-After`.'],
  },
} as const satisfies Record<number, Record<string, readonly [title: string, meaning: string]>>
export type ErrorCode = { [Status in keyof typeof TABLE]: keyof (typeof TABLE)[Status] }[keyof typeof TABLE]

interface ErrorDescription {
  readonly status: number
  readonly title: string
  readonly meaning: string
}

export const ERRORS = Object.fromEntries(
  Object.entries(TABLE).flatMap(([status, errors]) =>
    Object.entries(errors).map(([code, [title, meaning]]) => [code, { status: Number(status), title, meaning }]),
  ),
) as Readonly<Record<ErrorCode, ErrorDescription>>
