import Type from 'typebox'
import { ACCOUNT_STATUSES, LIMIT_NAMES, ROLES } from '../../../domain/accounts.ts'
import { SCOPES } from '../../../domain/keys.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

/** One line of text, as colleagues and the audit log show it. */
const Name = Type.String({ minLength: 1, maxLength: 100 })

export const accountFields = {
  id: Type.String({ description: 'The id, such as `acc_01jd8z0c5x…`.' }),
  email: Nullable(Type.String()),
  email_verified: Type.Boolean({
    description: 'Whether a mailed link has proved the address. Other mail goes to verified addresses only.',
  }),
  name: Nullable(Type.String()),
  role: OneOf(
    ROLES,
    'What keys of the account may do at most: a client `read` and `watch`; a reporter also `report`; an editor also `review`; an admin also `admin`.',
  ),
  status: OneOf(
    ACCOUNT_STATUSES,
    '`deleted`: its owner has deleted it. Its id is kept, for keys and entries of the audit log that name it.',
  ),
  created_at: Time('When the account was opened.'),
}

export const Quota = Named(
  'Quota',
  Type.Object({
    limit: Type.Integer({ minimum: 0 }),
    used: Type.Integer({ minimum: 0, description: 'Streams: on this node. Others: over all keys and nodes.' }),
    window_seconds: Nullable(Type.Integer({ description: 'Null if the limit has no time window.' })),
  }),
)

export const Quotas = Named(
  'Quotas',
  Type.Object(Object.fromEntries(LIMIT_NAMES.map((name) => [name, Type.Optional(Type.Ref('Quota'))])), {
    description: 'Every limit with what is used of it.',
  }),
)

export const UsageDays = Named(
  'UsageDays',
  Type.Array(
    Type.Object({
      day: Type.String({ format: 'date' }),
      requests: Type.Integer({ minimum: 0 }),
    }),
    { description: 'Requests by all keys of the account for each of the last 30 days (UTC), oldest first.' },
  ),
)

export const OwnAccount = Named('OwnAccount', Type.Object(accountFields))

export const Me = Named(
  'Me',
  Type.Object({
    account: Nullable(Type.Object(accountFields, { description: 'Null for a publishable key.' })),
    key: Type.Ref('Key'),
    session: Nullable(Type.Ref('Session')),
    scopes: Type.Array(OneOf(SCOPES), {
      description: 'What the key or the session may do now, with the role of the account.',
    }),
    limits: Type.Object({ requests_per_minute: Type.Integer({ minimum: 1 }) }),
    quotas: Type.Ref('Quotas'),
    usage: Nullable(
      Type.Object(
        {
          day: Type.String({ format: 'date' }),
          requests: Type.Integer({ minimum: 0, description: 'Requests by all keys of the account today (UTC).' }),
          days: Type.Ref('UsageDays'),
        },
        { description: 'Null for a publishable key.' },
      ),
    ),
  }),
)

export const readMe = endpoint({
  id: 'readMe',
  method: 'GET',
  path: '/v1/me',
  tag: 'Keys',
  summary: 'Read your account',
  description:
    "The account and its role, the key's scopes, every limit with what is used of it, and usage by day. A publishable key, which is public, sees its own limits only. With a session, `session` says since when, and `key` has the kind `session`.",
  scope: 'read',
  query: {},
  response: { status: 200, description: 'The account behind the key.', schema: Type.Ref('Me') },
  problems: ['invalid_parameter'],
})

export const changeMe = endpoint({
  id: 'changeMe',
  method: 'PATCH',
  path: '/v1/me',
  tag: 'Keys',
  summary: 'Change the name of your account',
  description:
    'The audit log shows the name with what you do; null takes it away. Who has a role above client is known to colleagues by the name: there an admin changes it.',
  scope: 'watch',
  body: Type.Object({ name: Nullable(Name) }, { additionalProperties: false, example: { name: 'Ada Obi' } }),
  response: { status: 200, description: 'The account.', schema: Type.Ref('OwnAccount') },
  problems: ['invalid_body', 'insufficient_scope'],
})

export const deleteMe = endpoint({
  id: 'deleteMe',
  method: 'DELETE',
  path: '/v1/me',
  tag: 'Keys',
  summary: 'Delete your account',
  description:
    'For good, at once. Deleted: the watches with their secrets, headers and deliveries; saved areas and lists of sites; passkeys; the address and the name, in the audit log too. Every key is revoked and every session ends; streams and listeners close within two seconds. Nothing that waits is sent any more: not from this node after the answer, and not from others two seconds later. Usage counts stay, without a name. The same address can sign up again. You need all scopes of your role: `read` and `watch`. An account with a role above client is refused: an admin takes the role away first. A repeated request gets 401, because its key is revoked.',
  scope: 'watch',
  body: Type.Object(
    {
      confirm: Type.String({
        minLength: 1,
        maxLength: 254,
        description:
          'The e-mail address of the account; its name if it has no address; its id if it has neither. `GET /v1/me` shows them.',
      }),
    },
    { additionalProperties: false, example: { confirm: 'you@example.org' } },
  ),
  response: { status: 204, description: 'The account is deleted.', schema: null },
  problems: ['invalid_body', 'insufficient_scope', 'has_desk_role'],
})
