import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'

export const Passkey = Named(
  'Passkey',
  Type.Object({
    id: Type.String({ description: 'The id, such as `pas_01jd8z0c5x…`.' }),
    name: Type.String({ description: 'Your name for the device.' }),
    synchronised: Type.Boolean({ description: 'Whether the device shares it with your other devices.' }),
    created_at: Time('When the passkey was added.'),
    last_used_at: Nullable(Time('When it last signed in.')),
  }),
)

const passkeys = { tag: 'Sessions' } as const

export const passkeyOptions = endpoint({
  ...passkeys,
  id: 'passkeyOptions',
  method: 'POST',
  path: '/v1/passkeys/options',
  summary: 'Begin to add a passkey, or to sign in with one',
  description:
    "Gives the options that the browser passes to its authenticator, with a challenge that works once, for five minutes. Signing in needs nobody; adding a passkey needs a session or a key with all scopes of the account's role.",
  scope: null,
  neverReplayed: true,
  body: Type.Object(
    { for: OneOf(['registration', 'sign_in']) },
    { additionalProperties: false, example: { for: 'sign_in' } },
  ),
  response: {
    status: 200,
    description: 'Options for `navigator.credentials.create` or `.get`, as JSON.',
    schema: Type.Object({ challenge: Type.String() }, { additionalProperties: true }),
  },
  problems: ['invalid_body', 'insufficient_scope', 'missing_key', 'cross_origin_request'],
})

export const createPasskey = endpoint({
  ...passkeys,
  id: 'createPasskey',
  method: 'POST',
  path: '/v1/passkeys',
  sample: null,
  summary: 'Add a passkey',
  description:
    "At most 10 for an account. Needs all scopes of the account's role, because a passkey gives them. A higher role removes the passkeys that were added before.",
  scope: 'watch',
  neverReplayed: true,
  body: Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Your name for the device.' })),
      credential: Type.Object(
        { id: Type.String({ minLength: 1, maxLength: 2000 }) },
        { additionalProperties: true, description: 'The `RegistrationResponseJSON` of WebAuthn.' },
      ),
    },
    { additionalProperties: false },
  ),
  response: { status: 201, description: 'The passkey.', schema: Type.Ref('Passkey') },
  problems: ['invalid_body', 'passkey_refused', 'too_many_passkeys', 'insufficient_scope', 'cross_origin_request'],
})

export const listPasskeys = endpoint({
  ...passkeys,
  id: 'listPasskeys',
  method: 'GET',
  path: '/v1/passkeys',
  summary: 'List the passkeys of your account',
  description: 'The newest first.',
  scope: 'watch',
  query: {},
  response: {
    status: 200,
    description: 'The passkeys.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Passkey')) }),
  },
  problems: ['invalid_parameter'],
})

export const deletePasskey = endpoint({
  ...passkeys,
  id: 'deletePasskey',
  method: 'DELETE',
  path: '/v1/passkeys/{id}',
  summary: 'Remove a passkey',
  description: 'Ends the other sessions that were opened with it.',
  scope: 'watch',
  pathParameters: { id: 'The id of the passkey, such as `pas_01jd8z0c5x…`.' },
  response: { status: 204, description: 'The passkey has been removed.', schema: null },
  problems: ['not_found', 'insufficient_scope', 'cross_origin_request'],
})
