import Type from 'typebox'
import { ACCOUNT_STATUSES, LIMIT_NAMES, ROLES, SETTABLE_STATUSES } from '../../../domain/accounts.ts'
import { limitParameter } from '../../../filter/parameter-values.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf } from '../schema.ts'
import { keyId, keyPaging, keyRequestFields } from './keys.ts'
import { accountFields } from './me.ts'

const limitFields = Object.fromEntries(
  LIMIT_NAMES.map((name) => [
    name,
    Type.Optional(
      Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000, description: "Null: the service's default." })),
    ),
  ]),
)

const fields = {
  ...accountFields,
  limits: Type.Object(limitFields, { description: "The account's own limits; others are the service's defaults." }),
  requests_last_30_days: Type.Integer({ minimum: 0 }),
}

export const Account = Named('Account', Type.Object(fields))

export const AccountList = Named(
  'AccountList',
  Type.Object({
    data: Type.Array(Type.Ref('Account')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  }),
)

export const AccountWithUsage = Named(
  'AccountWithUsage',
  Type.Object({
    ...fields,
    quotas: Type.Ref('Quotas'),
    usage: Type.Object({ days: Type.Ref('UsageDays') }),
  }),
)

export const AdminKey = Named('AdminKey', Type.Intersect([Type.Ref('Key'), Type.Object({ account_id: Type.String() })]))

const accountId = { id: 'The id of the account, such as `acc_01jd8z0c5x…`.' }
const admin = { tag: 'Admin', scope: 'admin' } as const

export const listAccounts = endpoint({
  ...admin,
  id: 'listAccounts',
  method: 'GET',
  path: '/v1/admin/accounts',
  summary: 'List accounts',
  description: 'Newest first. All given filters must hold.',
  query: {
    email: { description: 'The address, in any case.', example: 'ada@example.org' },
    role: { description: 'The role.', example: 'editor', values: ROLES },
    status: { description: 'The status.', example: 'blocked', values: ACCOUNT_STATUSES },
    limit: limitParameter('Accounts', 100),
    cursor: { description: '`next_cursor` of the page before.', example: 'acc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
  },
  response: { status: 200, description: 'A page of accounts.', schema: Type.Ref('AccountList') },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const readAccount = endpoint({
  ...admin,
  id: 'readAccount',
  method: 'GET',
  path: '/v1/admin/accounts/{id}',
  summary: 'Read an account',
  description: 'With every limit, what is used of it, and usage by day.',
  pathParameters: accountId,
  query: {},
  response: { status: 200, description: 'The account.', schema: Type.Ref('AccountWithUsage') },
  problems: ['invalid_parameter', 'not_found'],
})

export const changeAccount = endpoint({
  ...admin,
  id: 'changeAccount',
  method: 'PATCH',
  path: '/v1/admin/accounts/{id}',
  summary: 'Change the name, the role, the status or the limits of an account',
  description:
    'A lower role takes scopes from all keys and sessions of the account at once; a higher role removes its passkeys. Nobody raises their own role, and your own key or session must have all scopes of the role that it gives. Blocking refuses all its keys, ends its sessions, closes its streams within two seconds and disables its watches; unblocking enables those again. The last admin that can sign in can be neither blocked nor demoted. Limits that are not named stay as they are.',
  pathParameters: accountId,
  body: Type.Object(
    {
      role: Type.Optional(OneOf(ROLES)),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      status: Type.Optional(OneOf(SETTABLE_STATUSES)),
      limits: Type.Optional(Type.Object(limitFields, { additionalProperties: false })),
    },
    { additionalProperties: false, minProperties: 1, example: { role: 'editor' } },
  ),
  response: { status: 200, description: 'The account.', schema: Type.Ref('Account') },
  problems: ['invalid_body', 'not_found', 'last_admin', 'insufficient_scope'],
})

export const createAccountKey = endpoint({
  ...admin,
  id: 'createAccountKey',
  method: 'POST',
  path: '/v1/admin/accounts/{id}/keys',
  summary: 'Issue a key for an account',
  description:
    "For an account whose keys are lost. By default the key has all scopes of the account's role; the admin's key must have them too, and expire no earlier.",
  pathParameters: accountId,
  body: Type.Object(keyRequestFields, { additionalProperties: false, example: { name: 'replacement' } }),
  bodyCheck: 'where given',
  response: { status: 201, description: 'The key, shown only once.', schema: Type.Ref('IssuedKey') },
  problems: ['invalid_body', 'not_found', 'insufficient_scope', 'too_many_keys'],
})

export const listAllKeys = endpoint({
  ...admin,
  id: 'listAllKeys',
  method: 'GET',
  path: '/v1/admin/keys',
  summary: 'List the keys of all accounts, or of one',
  query: {
    account: { description: 'Only keys of this account.', example: 'acc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
    ...keyPaging,
  },
  response: {
    status: 200,
    description: 'A page of keys, newest first.',
    schema: Type.Object({
      data: Type.Array(Type.Ref('AdminKey')),
      has_more: Type.Boolean(),
      next_cursor: Nullable(Type.String()),
    }),
  },
  problems: ['invalid_parameter', 'invalid_cursor'],
})

export const readAnyKey = endpoint({
  ...admin,
  id: 'readAnyKey',
  method: 'GET',
  path: '/v1/admin/keys/{id}',
  summary: 'Read a key of any account',
  pathParameters: keyId,
  query: {},
  response: { status: 200, description: 'The key.', schema: Type.Ref('AdminKey') },
  problems: ['invalid_parameter', 'not_found'],
})

export const revokeAnyKey = endpoint({
  ...admin,
  id: 'revokeAnyKey',
  method: 'DELETE',
  path: '/v1/admin/keys/{id}',
  summary: 'Revoke a key of any account',
  description: 'The key stops working at once on this node and within two seconds on all nodes.',
  pathParameters: keyId,
  response: { status: 200, description: 'The revoked key.', schema: Type.Ref('AdminKey') },
  problems: ['not_found'],
})
