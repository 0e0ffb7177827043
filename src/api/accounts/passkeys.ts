import Type from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import type { KeyHolder } from '../../accounts/key-cache.ts'
import { MAX_PASSKEYS, registrationOptions, signInOptions, verifyRegistration } from '../../accounts/passkeys.ts'
import { mayManage, type Passkey, SCOPES_BY_ROLE } from '../../domain/accounts.ts'
import { invalidBody, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { Closed, Flag, NamedObject, Nullable, OneOf, Text, Time } from '../contract/schema.ts'
import type { Router } from '../router.ts'
import { timeResponse } from './account.ts'
import { pageOrigin } from './sessions.ts'

const endpoint = endpointsOf({ tag: 'Sessions', scope: 'watch' })

NamedObject('Passkey', {
  id: Text('The id, such as `pas_01jd8z0c5x…`.'),
  name: Text('Your name for the device.'),
  synchronised: Flag('Whether the device shares it with your other devices.'),
  created_at: Time('When the passkey was added.'),
  last_used_at: Nullable(Time('When it last signed in.')),
})

const passkeyOptions = endpoint('passkeyOptions', 'POST /v1/passkeys/options', {
  summary: 'Begin to add a passkey, or to sign in with one',
  description:
    "Gives the options that the browser passes to its authenticator, with a challenge that works once, for five minutes. Signing in needs nobody; adding a passkey needs a session or a key with all scopes of the account's role.",
  neverReplayed: true,
  body: Closed({ for: OneOf(['registration', 'sign_in']) }, { example: { for: 'sign_in' } }),
  response: ok(
    'Options for `navigator.credentials.create` or `.get`, as JSON.',
    Type.Object({ challenge: Type.String() }, { additionalProperties: true }),
  ),
  problems: ['missing_key', 'cross_origin_request'],
  scope: null,
})

const createPasskey = endpoint('createPasskey', 'POST /v1/passkeys', {
  sample: null,
  summary: 'Add a passkey',
  description:
    "At most 10 for an account. Needs all scopes of the account's role, because a passkey gives them. A higher role removes the passkeys that were added before.",
  neverReplayed: true,
  body: Closed({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Your name for the device.' })),
    credential: Type.Object(
      { id: Type.String({ minLength: 1, maxLength: 2000 }) },
      { additionalProperties: true, description: 'The `RegistrationResponseJSON` of WebAuthn.' },
    ),
  }),
  response: { status: 201, description: 'The passkey.', schema: Type.Ref('Passkey') },
  problems: ['passkey_refused', 'too_many_passkeys', 'cross_origin_request'],
})

const listPasskeys = endpoint('listPasskeys', 'GET /v1/passkeys', {
  summary: 'List the passkeys of your account',
  description: 'The newest first.',
  response: ok('The passkeys.', Type.Object({ data: Type.Array(Type.Ref('Passkey')) })),
})

const deletePasskey = endpoint('deletePasskey', 'DELETE /v1/passkeys/{id}', {
  summary: 'Remove a passkey',
  description: 'Ends the other sessions that were opened with it.',
  pathParameters: { id: 'The id of the passkey, such as `pas_01jd8z0c5x…`.' },
  response: { status: 204, description: 'The passkey has been removed.', schema: null },
  problems: ['cross_origin_request'],
})

const DEFAULT_NAME = 'Passkey'

export function passkeyRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { clock, config } = environment

  router.add(passkeyOptions, async ({ request, reply, body, services: { store } }) => {
    reply.header('cache-control', 'no-store')
    const origin = pageOrigin(request, config.PUBLIC_URL)
    if (body.for === 'sign_in') return { ...(await signInOptions(store, origin, clock())) }
    const { account } = requireFullRights(request.caller)
    return { ...(await registrationOptions(store, account, origin, clock())) }
  })

  router.add(createPasskey, async ({ request, reply, body, services: { store } }) => {
    const caller = requireFullRights(request.caller)
    const { account } = caller
    const name = body.name ?? DEFAULT_NAME
    if (/\p{Cc}/u.test(name) || !name.isWellFormed())
      throw invalidBody([{ pointer: '/name', message: 'must not contain control characters' }])
    const origin = pageOrigin(request, config.PUBLIC_URL)
    const passkey = await verifyRegistration(store, account, body.credential, origin, name, clock())
    const act = { action: 'passkey.create', subject: passkey.id, after: { name, account_id: account.id } }
    const { passkeys } = store.withAudit(auditEntryOf(caller, act, clock()))
    const outcome = await passkeys.add(passkey, MAX_PASSKEYS)
    if (outcome === 'too_many')
      throw new Problem('too_many_passkeys', `An account has at most ${MAX_PASSKEYS} passkeys. Remove one first.`)
    if (outcome === 'known') throw new Problem('passkey_refused', 'This passkey was added before.')
    reply.status(201)
    return passkeyResponse(passkey)
  })

  router.add(listPasskeys, async ({ request, services: { store } }) => {
    return { data: (await store.passkeys.list(request.caller!.account.id)).map(passkeyResponse) }
  })

  router.add(deletePasskey, async ({ request, reply, parameters, services: { store } }) => {
    const caller = requireFullRights(request.caller)
    const { account, session } = caller
    const { id } = parameters
    const { passkeys } = store.withAudit(auditEntryOf(caller, { action: 'passkey.delete', subject: id }, clock()))
    const ended = isIdentifier('passkey', id)
      ? await passkeys.remove(account.id, id, clock(), session?.id ?? null)
      : null
    if (ended === null) throw new Problem('not_found', 'Your account has no such passkey.')
    authenticator.sessions.forget(ended)
    return reply.status(204).send()
  })
}

/** A passkey signs in with all scopes of the role: a lesser key must not make one. */
function requireFullRights(caller: KeyHolder | null): KeyHolder {
  if (caller === null) throw new Problem('missing_key', 'Sign in first: a passkey is added to your account.')
  const needed = SCOPES_BY_ROLE[caller.account.role]
  if (mayManage(caller.key, caller.account.role, needed)) return caller
  throw new Problem('insufficient_scope', `A passkey has all scopes of your role, so this needs ${needed.join(', ')}.`)
}

function passkeyResponse(passkey: Passkey) {
  return {
    id: passkey.id,
    name: passkey.name,
    synchronised: passkey.backedUp,
    created_at: timeResponse(passkey.createdAt),
    last_used_at: passkey.lastUsedAt === null ? null : timeResponse(passkey.lastUsedAt),
  }
}
