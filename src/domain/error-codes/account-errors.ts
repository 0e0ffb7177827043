import type { ErrorDescription } from './error-description.ts'

/** Keys, sessions, passkeys and sign-in links, and what an account may do. */
export const ACCOUNT_ERRORS = {
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
  unknown_link: {
    status: 404,
    title: 'The sign-in link is not known',
    meaning: 'It is incomplete, or it is older than a day. Ask for another one.',
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
  source_exists: {
    status: 409,
    title: 'There is a source with this address',
    meaning: 'Change that source instead: `GET /v1/admin/sources` lists it.',
  },
  too_many_sources: {
    status: 409,
    title: 'There are as many news sources as there can be',
    meaning: 'Remove a source that brings nothing: `DELETE /v1/admin/sources/{id}`.',
  },
  account_exists: {
    status: 409,
    title: 'There is an account with this address',
    meaning: 'The detail names the account: change its role instead.',
  },
  has_desk_role: {
    status: 409,
    title: 'The account has a role at the desk',
    meaning: 'It cannot be deleted while it is a reporter, editor or admin. An admin makes it a client first.',
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
} as const satisfies Record<string, ErrorDescription>
