import Type from 'typebox'
import { KEY_KINDS, type KeyKind, SCOPES } from '../../domain/key.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

const keyFields = {
  id: Type.String({ description: 'The id, such as `key_01jd8z0c5x…`; not secret.' }),
  kind: OneOf(Object.keys(KEY_KINDS) as KeyKind[], '`publishable` keys can only read, and may be used in web pages.'),
  name: Nullable(Type.String()),
  hint: Type.String({ description: 'The last four characters of the key.' }),
  scopes: Type.Array(OneOf(SCOPES)),
  origins: Type.Array(Type.String(), {
    description: 'The origins that may use a publishable key; empty allows any.',
  }),
  created_at: Time('When the key was issued.'),
  expires_at: Nullable(Time('When the key expires.')),
  revoked_at: Nullable(Time('When the key was revoked.')),
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

export const createKey = endpoint({
  id: 'createKey',
  method: 'POST',
  path: '/v1/keys',
  tag: 'Keys',
  summary: 'Get a key',
  description:
    'Requires no key: send an e-mail address and receive a key with the scopes `read` and `watch`. Called with a key, it adds another key to the same account; no address is needed then.',
  scope: null,
  body: Type.Object(
    {
      email: Type.Optional(
        Type.String({ format: 'email', maxLength: 254, description: 'Required if the request has no key.' }),
      ),
      name: Type.Optional(Name),
      kind: Type.Optional(OneOf(Object.keys(KEY_KINDS) as KeyKind[], 'Default: `live`.')),
      origins: Type.Optional(
        Type.Array(Type.String({ pattern: '^https?://[0-9A-Za-z.:\\[\\]-]{1,253}$' }), {
          maxItems: 20,
          description: 'For publishable keys, such as `https://example.org`.',
        }),
      ),
      expires_at: Type.Optional(Nullable(Time('When the key expires.'))),
    },
    { additionalProperties: false, example: { email: 'you@example.org' } },
  ),
  response: { status: 201, description: 'The key, shown only once.', schema: Type.Ref('IssuedKey') },
  otherResponses: [
    { status: 202, description: 'An e-mail with a link to the key has been sent.', schema: Type.Ref('PendingKey') },
  ],
  problems: ['invalid_body', 'signup_closed', 'insufficient_scope', 'mail_unavailable'],
})

export const listKeys = endpoint({
  id: 'listKeys',
  method: 'GET',
  path: '/v1/keys',
  tag: 'Keys',
  summary: 'List the keys of the account',
  scope: 'watch',
  query: {},
  response: {
    status: 200,
    description: 'All keys, newest first, including revoked and expired ones.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Key')) }),
  },
  problems: ['invalid_parameter'],
})

export const rotateKey = endpoint({
  id: 'rotateKey',
  method: 'POST',
  path: '/v1/keys/{id}/rotate',
  tag: 'Keys',
  summary: 'Replace a key',
  description: 'Issues a new key with the same permissions. The old key works for another 24 hours.',
  scope: 'watch',
  pathParameters: { id: 'The id of the key, such as `key_01jd8z0c5x…`.' },
  response: { status: 201, description: 'The new key, shown only once.', schema: Type.Ref('IssuedKey') },
  problems: ['not_found'],
})

export const revokeKey = endpoint({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/v1/keys/{id}',
  tag: 'Keys',
  summary: 'Revoke a key',
  description:
    'The key stops working at once on this node and within two seconds on all nodes. Revoking it again changes nothing.',
  scope: 'watch',
  pathParameters: { id: 'The id of the key, such as `key_01jd8z0c5x…`.' },
  response: { status: 200, description: 'The revoked key.', schema: Type.Ref('Key') },
  problems: ['not_found'],
})

export const Me = Named(
  'Me',
  Type.Object({
    account: Type.Object({
      id: Type.String(),
      email: Nullable(Type.String()),
      name: Nullable(Type.String()),
      created_at: Time('When the account was opened.'),
    }),
    key: Type.Ref('Key'),
    scopes: Type.Array(OneOf(SCOPES)),
    limits: Type.Object({ requests_per_minute: Type.Integer({ minimum: 1 }) }),
    usage: Type.Object({
      day: Type.String({ format: 'date' }),
      requests: Type.Integer({ minimum: 0, description: 'Requests by all keys of the account today (UTC).' }),
    }),
  }),
)

export const readMe = endpoint({
  id: 'readMe',
  method: 'GET',
  path: '/v1/me',
  tag: 'Keys',
  summary: 'Read your account',
  description: "The account, the key's scopes and limits, and today's usage.",
  scope: 'read',
  query: {},
  response: { status: 200, description: 'The account behind the key.', schema: Type.Ref('Me') },
  problems: ['invalid_parameter'],
})
