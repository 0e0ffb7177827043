import Type from 'typebox'
import { ROLES } from '../../../domain/accounts.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

export const IssuedLink = Named(
  'IssuedLink',
  Type.Object({
    url: Nullable(
      Type.String({ description: 'The link, shown only once; null if it was mailed. Whoever opens it is signed in.' }),
    ),
    mailed: Type.Boolean({ description: 'Whether the link was mailed to the person.' }),
    expires_at: Time('Until when the link can be used, once.'),
  }),
)

export const InvitedAccount = Named(
  'InvitedAccount',
  Type.Object({ account: Type.Ref('Account'), invitation: Type.Ref('IssuedLink') }),
)

const admin = { tag: 'Admin', scope: 'admin' } as const

export const inviteAccount = endpoint({
  ...admin,
  id: 'inviteAccount',
  method: 'POST',
  path: '/v1/admin/accounts',
  summary: 'Invite a person',
  description:
    'Opens an account for a person, without a key, and mails a link that signs them in. Where the service sends no mail, the answer has the link, to be handed over. The link works once, for 72 hours; afterwards the person asks for another at `/sign-in`. Your own key or session must have the scopes of the role.',
  neverReplayed: true,
  body: Type.Object(
    {
      email: Type.String({ format: 'email', maxLength: 254 }),
      name: Type.String({ minLength: 1, maxLength: 100, description: 'The name that colleagues see at the desk.' }),
      role: OneOf(ROLES),
    },
    { additionalProperties: false, example: { email: 'ada@example.org', name: 'Ada Obi', role: 'editor' } },
  ),
  response: { status: 201, description: 'The account and its link.', schema: Type.Ref('InvitedAccount') },
  problems: ['invalid_body', 'insufficient_scope', 'account_exists', 'mail_unavailable'],
})

export const createSignInLink = endpoint({
  ...admin,
  id: 'createSignInLink',
  method: 'POST',
  path: '/v1/admin/accounts/{id}/sign-in-link',
  summary: 'Issue a sign-in link for a person',
  description:
    "For installations without mail, and for people who lost all their ways in. It works once, for 15 minutes. Your own key or session must have the scopes of the account's role.",
  neverReplayed: true,
  pathParameters: { id: 'The id of the account, such as `acc_01jd8z0c5x…`.' },
  response: { status: 201, description: 'The link, shown only once.', schema: Type.Ref('IssuedLink') },
  problems: ['not_found', 'insufficient_scope'],
})
