import Type from 'typebox'
import { KEY_KINDS, type KeyKind, SCOPES } from '../../../domain/keys.ts'
import { limitParameter } from '../../../filter/parameter-values.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const keyFields = {
  id: Type.String({ description: 'The id, such as `key_01jd8z0c5x…`; not secret.' }),
  kind: OneOf(
    [...(Object.keys(KEY_KINDS) as KeyKind[]), 'session'],
    '`publishable` keys can only read, and may be used in web pages. `session` only in `GET /v1/me`, for somebody who has signed in.',
  ),
  name: Nullable(Type.String()),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  scopes: Type.Array(OneOf(SCOPES), {
    description:
      'What the key may do, as far as the role of its account allows. `operate` means `report`, `review` and `admin`.',
  }),
  origins: Type.Array(Type.String(), {
    description: 'The origins that may use a publishable key; empty allows any.',
  }),
  created_at: Time('When the key was issued.'),
  expires_at: Nullable(Time('When the key expires.')),
  revoked_at: Nullable(Time('When the key was revoked.')),
  last_used_at: Nullable(Time('When the key was last used, a few seconds late; null if it was not.')),
  requests_last_30_days: Type.Integer({ minimum: 0, description: 'Requests with this key within 30 days.' }),
}

export const Key = Named('Key', Type.Object(keyFields))

export const IssuedKey = Named(
  'IssuedKey',
  Type.Object({
    ...keyFields,
    key: Type.String({ description: 'The key itself. It is shown only once: store it.' }),
    account_id: Type.String(),
  }),
)

export const PendingKey = Named(
  'PendingKey',
  Type.Object(
    { status: OneOf(['mailed']), detail: Type.String() },
    { description: 'Returned if the operator requires e-mail addresses to be confirmed first.' },
  ),
)

const Name = Nullable(Type.String({ minLength: 1, maxLength: 100, description: 'Your name for the key.' }))
const Origins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: 20,
  description:
    'For publishable keys, such as `https://example.org`. Stored as browsers send them: lower case, punycode, no default port, no slash at the end.',
})

/** The fields of a key that its creator chooses. */
export const keyRequestFields = {
  name: Type.Optional(Name),
  kind: Type.Optional(OneOf(Object.keys(KEY_KINDS) as KeyKind[], 'Default: `live`.')),
  scopes: Type.Optional(
    Type.Array(OneOf(SCOPES), {
      minItems: 1,
      maxItems: SCOPES.length,
      description:
        'Only scopes that the creating key has itself. Default: `read` and `watch`; of a publishable key, `read`.',
    }),
  ),
  origins: Type.Optional(Origins),
  expires_at: Type.Optional(
    Nullable(Time('When the key expires. Not later than the key that creates it, which is also the default.')),
  ),
}

export const keyId = { id: 'The id of the key, such as `key_01jd8z0c5x…`.' }
export const keyPaging = {
  limit: limitParameter('Keys', 100),
  cursor: { description: '`next_cursor` of the page before.', example: 'key_01jd8z0c5xqvjv8y2kvhr3w1ad' },
} as const

export const KeyList = Named(
  'KeyList',
  Type.Object({
    data: Type.Array(Type.Ref('Key')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  }),
)

export const createKey = endpoint({
  id: 'createKey',
  method: 'POST',
  path: '/v1/keys',
  tag: 'Keys',
  summary: 'Get a key',
  description:
    'Requires no key: send an e-mail address and receive a key with the scopes `read` and `watch`. Called with a key, it adds another key to the same account; no address is needed then. A key creates only keys whose scopes it has itself, and that expire no later. An account has at most 20 valid keys, and creates at most 100 in 24 hours.',
  scope: null,
  body: Type.Object(
    {
      email: Type.Optional(
        Type.String({ format: 'email', maxLength: 254, description: 'Required if the request has no key.' }),
      ),
      ...keyRequestFields,
    },
    { additionalProperties: false, example: { email: 'you@example.org' } },
  ),
  response: { status: 201, description: 'The key, shown only once.', schema: Type.Ref('IssuedKey') },
  otherResponses: [
    { status: 202, description: 'An e-mail with a link to the key has been sent.', schema: Type.Ref('PendingKey') },
  ],
  problems: ['invalid_body', 'signup_closed', 'insufficient_scope', 'too_many_keys', 'mail_unavailable'],
})

export const listKeys = endpoint({
  id: 'listKeys',
  method: 'GET',
  path: '/v1/keys',
  tag: 'Keys',
  summary: 'List the keys of the account',
  description: 'Newest first, including revoked and expired keys, which are kept for 90 days.',
  scope: 'watch',
  query: keyPaging,
  response: { status: 200, description: 'A page of keys.', schema: Type.Ref('KeyList') },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const changeKey = endpoint({
  id: 'changeKey',
  method: 'PATCH',
  path: '/v1/keys/{id}',
  tag: 'Keys',
  summary: 'Change the name or the origins of a key',
  description: 'A key changes only keys whose scopes it has itself. New origins apply within two seconds on all nodes.',
  scope: 'watch',
  pathParameters: keyId,
  body: Type.Object(
    { name: Type.Optional(Name), origins: Type.Optional(Origins) },
    { additionalProperties: false, minProperties: 1, example: { name: 'production' } },
  ),
  response: { status: 200, description: 'The key.', schema: Type.Ref('Key') },
  problems: ['invalid_body', 'not_found', 'insufficient_scope'],
})

export const rotateKey = endpoint({
  id: 'rotateKey',
  method: 'POST',
  path: '/v1/keys/{id}/rotate',
  tag: 'Keys',
  summary: 'Replace a key',
  description:
    'Issues a new key with the same permissions and expiry. The old key works for another 24 hours. A key rotates only keys whose scopes it has itself.',
  scope: 'watch',
  pathParameters: keyId,
  response: { status: 201, description: 'The new key, shown only once.', schema: Type.Ref('IssuedKey') },
  problems: ['not_found', 'insufficient_scope', 'too_many_keys'],
})

export const revokeKey = endpoint({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/v1/keys/{id}',
  tag: 'Keys',
  summary: 'Revoke a key',
  description:
    'The key stops working at once on this node and within two seconds on all nodes. Revoking it again changes nothing. A key revokes only keys whose scopes it has itself; the last live key of an account only with `?confirm=last`.',
  scope: 'watch',
  pathParameters: keyId,
  query: {
    confirm: {
      description: '`last` revokes the last live key of the account too.',
      example: 'last',
      values: ['last'],
    },
  },
  response: { status: 200, description: 'The revoked key.', schema: Type.Ref('Key') },
  problems: ['invalid_parameter', 'not_found', 'insufficient_scope', 'last_key'],
})
