import Type from 'typebox'
import { SIGN_IN_METHODS } from '../../../domain/accounts.ts'
import { SCOPES } from '../../../domain/keys.ts'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, OneOf, Time } from '../schema.ts'
import { accountFields } from './me.ts'

export const Session = Named(
  'Session',
  Type.Object({
    id: Type.String({ description: 'The id, such as `ses_01jd8z0c5x…`; not secret.' }),
    method: OneOf(SIGN_IN_METHODS, 'How the person signed in.'),
    current: Type.Boolean({ description: 'True for the session that made this request.' }),
    user_agent: Nullable(Type.String({ description: 'The browser, as it names itself.' })),
    key_id: Nullable(Type.String({ description: 'The key that the session was opened with.' })),
    created_at: Time('When the person signed in.'),
    last_used_at: Time('When the session was last used, up to a minute late.'),
    expires_at: Time('When the session ends unless it is used: 12 hours after the last use, 7 days after signing in.'),
  }),
)

export const SignedIn = Named(
  'SignedIn',
  Type.Object({
    session: Type.Ref('Session'),
    account: Type.Object(accountFields),
    scopes: Type.Array(OneOf(SCOPES), { description: 'What the session may do.' }),
  }),
)

const sessions = { tag: 'Sessions' } as const

export const createSession = endpoint({
  ...sessions,
  id: 'createSession',
  method: 'POST',
  path: '/v1/sessions',
  summary: 'Sign in',
  description:
    'For pages of this service; programs send a key with each request. Takes one of: a live key, the token of a sign-in link, or the assertion of a passkey. Sets a cookie that scripts cannot read and other sites cannot use. The session may do what the role of the account allows; opened with a key, what the key allows, for as long as the key is valid.',
  scope: null,
  neverReplayed: true,
  body: Type.Object(
    {
      key: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A live key, `inf_live_…`.' })),
      token: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'From a sign-in link: `/sign-in?token=…`.' }),
      ),
      passkey: Type.Optional(
        Type.Object(
          { id: Type.String({ minLength: 1, maxLength: 2000 }) },
          {
            additionalProperties: true,
            description: 'The `AuthenticationResponseJSON` of WebAuthn, for options of `POST /v1/passkeys/options`.',
          },
        ),
      ),
    },
    {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      example: { key: 'inf_live_0000000000000000000000000000000004cfgL' },
    },
  ),
  response: {
    status: 201,
    description: 'Signed in.',
    schema: Type.Ref('SignedIn'),
    headers: { 'Set-Cookie': 'The session: HttpOnly, SameSite=Strict.' },
  },
  problems: ['invalid_body', 'unknown_link', 'used_link', 'expired_link', 'passkey_refused', 'cross_origin_request'],
})

export const listSessions = endpoint({
  ...sessions,
  id: 'listSessions',
  method: 'GET',
  path: '/v1/sessions',
  summary: 'List where your account is signed in',
  description: 'The last used first. At most 50: a further one ends the session that was unused for longest.',
  scope: 'watch',
  query: {},
  response: {
    status: 200,
    description: 'The sessions of the account.',
    schema: Type.Object({ data: Type.Array(Type.Ref('Session')) }),
  },
  problems: ['invalid_parameter'],
})

export const endSession = endpoint({
  ...sessions,
  id: 'endSession',
  method: 'DELETE',
  path: '/v1/sessions/{id}',
  sample: null,
  summary: 'Sign out',
  description:
    'The session stops working at once on this node and within two seconds on all nodes. `current` is the session of this request: signing out of one that has already ended succeeds too.',
  scope: null,
  pathParameters: { id: 'The id of the session, such as `ses_01jd8z0c5x…`, or `current`.' },
  response: { status: 204, description: 'The session has ended.', schema: null },
  problems: ['not_found', 'insufficient_scope', 'cross_origin_request'],
})

export const endAllSessions = endpoint({
  ...sessions,
  id: 'endAllSessions',
  method: 'DELETE',
  path: '/v1/sessions',
  summary: 'Sign out everywhere',
  description: 'Ends all sessions of the account, the one that asks too. Keys go on working.',
  scope: 'watch',
  response: { status: 204, description: 'All sessions have ended.', schema: null },
  problems: ['insufficient_scope', 'cross_origin_request'],
})
