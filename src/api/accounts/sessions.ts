import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import { requireWholeRole } from '../../accounts/delegation.ts'
import type { KeyHolder } from '../../accounts/key-cache.ts'
import { hashSecret } from '../../accounts/keys.ts'
import {
  MAX_PASSKEYS,
  registrationOptions,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from '../../accounts/passkeys.ts'
import { accountProving, MAX_SESSIONS, mailSignIn, newSession, untilProved } from '../../accounts/sign-in.ts'
import {
  type Account,
  mayManage,
  type Passkey,
  SESSION_IDLE_MS,
  type Session,
  SIGN_IN_METHODS,
  scopesLeft,
  sessionAsKey,
  sessionEndsAt,
} from '../../domain/accounts.ts'
import { canonicalAddress } from '../../domain/email-address.ts'
import { invalidBody, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { type Key, keyState, SCOPES } from '../../domain/keys.ts'
import type { LinkRefusal, Store, StoredSession, WritableStore } from '../../store/store.ts'
import { ownOrigin } from '../auth/sessions.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import {
  Closed,
  EmailAddress,
  Flag,
  NamedObject,
  Nullable,
  NullableText,
  OneOf,
  OptionalText,
  Text,
  Time,
} from '../contract/schema.ts'
import { addressSubject, requireName } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'
import { accountFields, accountResponse } from './account.ts'
import { countRequestedMails } from './keys.ts'

const endpoint = endpointsOf({ tag: 'Sessions', scope: 'watch' })

NamedObject('Session', {
  id: Text('The id, such as `ses_01jd8z0c5x…`; not secret.'),
  method: OneOf(SIGN_IN_METHODS, 'How the person signed in.'),
  current: Flag('True for the session that made this request.'),
  user_agent: NullableText('The browser, as it names itself.'),
  key_id: NullableText('The key that the session was opened with.'),
  created_at: Time('When the person signed in.'),
  last_used_at: Time('When the session was last used, up to a minute late.'),
  expires_at: Time('When the session ends unless it is used: 12 hours after the last use, 7 days after signing in.'),
})

NamedObject('SignedIn', {
  session: Type.Ref('Session'),
  account: Type.Object(accountFields),
  scopes: Type.Array(OneOf(SCOPES), { description: 'What the session may do.' }),
})

const createSession = endpoint('createSession', 'POST /v1/sessions', {
  scope: null,
  summary: 'Sign in',
  description:
    'For pages of this service; programs send a key with each request. Takes one of: a live key, the token of a sign-in link, or the assertion of a passkey. Sets a cookie that scripts cannot read and other sites cannot use. The session may do what the role of the account allows; opened with a key, what the key allows, for as long as the key is valid.',
  neverReplayed: true,
  body: Closed(
    {
      key: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A live key, `inf_live_…`.' })),
      token: OptionalText({ minLength: 1, maxLength: 200, description: 'From a sign-in link: `/sign-in?token=…`.' }),
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
    { minProperties: 1, maxProperties: 1, example: { key: 'inf_live_0000000000000000000000000000000004cfgL' } },
  ),
  response: {
    status: 201,
    description: 'Signed in.',
    schema: Type.Ref('SignedIn'),
    headers: { 'Set-Cookie': 'The session: HttpOnly, SameSite=Strict.' },
  },
  problems: ['unknown_link', 'used_link', 'expired_link', 'passkey_refused', 'cross_origin_request'],
})

export const listSessions = endpoint('listSessions', 'GET /v1/sessions', {
  summary: 'List where your account is signed in',
  description: 'The last used first. At most 50: a further one ends the session that was unused for longest.',
  response: ok('The sessions of the account.', Type.Object({ data: Type.Array(Type.Ref('Session')) })),
})

const endSession = endpoint('endSession', 'DELETE /v1/sessions/{id}', {
  scope: null,
  sample: null,
  summary: 'Sign out',
  description:
    'The session stops working at once on this node and within two seconds on all nodes. `current` is the session of this request: signing out of one that has already ended succeeds too. Ending another needs a live key or a session of the account, with the scopes of the one that ends.',
  pathParameters: { id: 'The id of the session, such as `ses_01jd8z0c5x…`, or `current`.' },
  response: { status: 204, description: 'The session has ended.', schema: null },
  problems: ['cross_origin_request'],
})

const endAllSessions = endpoint('endAllSessions', 'DELETE /v1/sessions', {
  summary: 'Sign out everywhere',
  description: 'Ends all sessions of the account, the one that asks too. Keys go on working.',
  response: { status: 204, description: 'All sessions have ended.', schema: null },
  problems: ['cross_origin_request'],
})

const mailRecoveryLink = endpoint('mailRecoveryLink', 'POST /v1/sessions/link', {
  scope: null,
  summary: 'Mail a sign-in link, or get a new key for an account whose keys are lost',
  description:
    'Mails two links to an address: one signs in at the pages of this service, once, within 15 minutes; the page behind the other issues a new key, within 24 hours. Both lead to the account that owns the address. If none does, and accounts were opened with the address without proof, the links open a new account that owns it, and has no part in those. Nothing is mailed to an address that no account names. The answer is the same whether or not an account has the address. Limited for each mailbox and for each client, apart from other mails. Where the service sends no mail, the operator issues a link or a key: `incident-feed accounts sign-in-link <id>`, `incident-feed keys create --account <id>`.',
  body: Closed({ email: EmailAddress() }, { example: { email: 'you@example.org' } }),
  response: {
    status: 202,
    description: 'A link is on its way if an account has the address.',
    schema: Type.Ref('PendingKey'),
  },
  problems: ['mail_not_set_up'],
})

export function sessionRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { clock, config, mailer, publicUrl } = environment
  const { cookie } = authenticator.sessions

  router.add(createSession, async ({ request, reply, body, services: { store } }) => {
    if (authenticator.sessions.isCrossOrigin(request))
      throw new Problem('cross_origin_request', 'Only the pages of this service sign people in.')
    const { secret, holder } = await signIn(store, request, reply, body as Credential)
    // Signing in again replaces the cookie: nobody could end the session it held.
    const before = request.caller?.session
    if (before !== undefined) await endOne(store, before.accountId, before.id)
    cookie.set(reply, secret)
    reply.status(201).header('cache-control', 'no-store')
    return signedInResponse(holder.session, holder.account, holder.key)
  })

  router.add(listSessions, async ({ request, services: { store } }) => {
    const { account, session } = request.caller!
    const open = await openSessions(store, account.id)
    return { data: open.map((found) => sessionResponse(found.session, found.key, session?.id ?? null)) }
  })

  router.add(endSession, async ({ request, reply, parameters, services: { store } }) => {
    const { caller } = request
    if (parameters.id === 'current') {
      if (caller?.session !== undefined) await endRecorded(store, caller, caller.session.id)
      return endWith(reply)
    }
    if (caller === null || caller.key.kind === 'publishable')
      throw new Problem('missing_key', 'Sign in, or send a live key: only the account itself ends its sessions.')
    const { id } = await findManaged(store, caller, parameters.id)
    await endRecorded(store, caller, id)
    if (id === caller.session?.id) cookie.clear(reply)
    return reply.status(204).send()
  })

  router.add(endAllSessions, async ({ request, reply, services: { store } }) => {
    const caller = request.caller!
    for (const found of await openSessions(store, caller.account.id)) requireRights(caller, found)
    const entry = auditEntryOf(caller, { action: 'session.end_all', subject: caller.account.id }, clock())
    const { sessions } = store.withAudit(entry)
    authenticator.sessions.forget(await sessions.endAll(caller.account.id, clock(), null))
    return endWith(reply)
  })

  /** Opens a session by the one credential that is given, on record. */
  async function signIn(store: Store, request: FastifyRequest, reply: FastifyReply, given: Credential) {
    if (given.token !== undefined) return signInByLink(store, request, given.token)
    if (given.key === undefined) {
      const origin = pageOrigin(request, config.PUBLIC_URL)
      const { passkey, account } = await verifySignIn(store, given.passkey, origin, clock())
      if (account.status !== 'active') throw linkProblem('blocked')
      return openSession(store, request, { method: 'passkey', passkeyId: passkey.id }, account, null)
    }
    const { key, account } = await authenticator.keyHolders.find(request, reply, given.key)
    if (key.kind !== 'live')
      throw invalidBody([{ pointer: '/key', message: 'must be a live key (inf_live_…): a publishable one is public' }])
    return openSession(store, request, { method: 'key', keyId: key.id }, account, key)
  }

  function signInByLink(store: Store, request: FastifyRequest, token: string) {
    const tokenHash = hashSecret(token)
    return untilProved(async () => {
      const account = await accountOfLink(store, tokenHash)
      if (account === null) throw linkProblem('unknown')
      const { opened, holder } = newHolder(request, { method: 'link' }, account, null)
      const { signInLinks } = recording(store, holder)
      const outcome = await signInLinks.redeem(tokenHash, account, opened.session, MAX_SESSIONS)
      if (outcome === 'other_owner') return outcome
      if (outcome !== true) throw linkProblem(outcome)
      // Read again: a mailed link has proved the address.
      return { secret: opened.secret, holder: { ...holder, account: (await store.accounts.find(account.id))! } }
    })
  }

  async function accountOfLink(store: Store, tokenHash: string): Promise<Account | null> {
    const link = await store.signInLinks.find(tokenHash)
    if (link?.accountId) return store.accounts.find(link.accountId)
    return link?.email ? accountProving(store, link.email, null, clock()) : null
  }

  async function openSession(store: Store, ...how: Parameters<typeof newHolder>) {
    const { opened, holder } = newHolder(...how)
    await recording(store, holder).sessions.open(holder.session, MAX_SESSIONS)
    return { secret: opened.secret, holder }
  }

  function newHolder(
    request: FastifyRequest,
    how: Parameters<typeof newSession>[0],
    account: Account,
    key: Key | null,
  ) {
    const opened = newSession(how, request.headers['user-agent'], clock())
    const session = { ...opened.session, accountId: account.id }
    return { opened, holder: { key: sessionAsKey(session, account, key), account, session } }
  }

  function recording(store: Store, holder: SessionHolder): WritableStore {
    const { id, method, userAgent } = holder.session
    const act = { action: 'session.create', subject: id, after: { method, user_agent: userAgent } }
    return store.withAudit(auditEntryOf(holder, act, clock()))
  }

  async function endOne(store: Pick<Store, 'sessions'>, accountId: string, id: string): Promise<void> {
    const ended = await store.sessions.end(accountId, id, clock())
    if (ended !== null) authenticator.sessions.forget([ended.hash])
  }

  function endRecorded(store: Store, caller: KeyHolder, id: string): Promise<void> {
    const entry = auditEntryOf(caller, { action: 'session.end', subject: id }, clock())
    return endOne(store.withAudit(entry), caller.account.id, id)
  }

  function endWith(reply: FastifyReply): FastifyReply {
    cookie.clear(reply)
    return reply.status(204).send()
  }

  async function openSessions(store: Store, accountId: string): Promise<StoredSession[]> {
    const now = clock()
    const found = await store.sessions.list(accountId, now, now - SESSION_IDLE_MS)
    return found.filter(({ session, account, key }) => keyState(sessionAsKey(session, account, key), now) === 'valid')
  }

  async function findManaged(store: Store, caller: KeyHolder, id: string): Promise<{ readonly id: string }> {
    const open = isIdentifier('session', id) ? await openSessions(store, caller.account.id) : []
    const found = open.find(({ session }) => session.id === id)
    if (found === undefined) throw new Problem('not_found', 'Your account has no such session.')
    if (id !== caller.session?.id) requireRights(caller, found)
    return { id }
  }

  router.add(mailRecoveryLink, async ({ request, reply, body, services: { store } }) => {
    if (mailer === null)
      throw new Problem(
        'mail_not_set_up',
        'This service sends no mail. Ask its operator for a link or a key: incident-feed accounts sign-in-link <id>, or incident-feed keys create --account <id>.',
      )
    const now = clock()
    const email = canonicalAddress(body.email)
    await countRequestedMails(store, config, 'sign-in', email, addressSubject(request), now)
    // Not awaited: a response after the look-up and the mail would tell known addresses by its
    // time.
    const maySignUp = config.SIGNUP !== 'closed'
    mailSignIn(store, mailer, publicUrl(), email, maySignUp, now).catch((error: unknown) =>
      request.log.error({ err: error, request_id: request.id }, 'a sign-in link could not be mailed'),
    )
    reply.status(202)
    return ANSWER
  })

  router.add(passkeyOptions, async ({ request, reply, body, services: { store } }) => {
    reply.header('cache-control', 'no-store')
    const origin = pageOrigin(request, config.PUBLIC_URL)
    if (body.for === 'sign_in') return { ...(await signInOptions(store, origin, clock())) }
    const { caller } = request
    if (caller === null) throw new Problem('missing_key', 'Sign in first: a passkey is added to your account.')
    requireWholeRole(caller)
    return { ...(await registrationOptions(store, caller.account, origin, clock())) }
  })

  router.add(createPasskey, async ({ request, reply, body, services: { store } }) => {
    const caller = request.caller!
    const { account } = caller
    const name = body.name ?? DEFAULT_NAME
    requireName(name)
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
    const caller = request.caller!
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

/** Like a key, a caller ends only sessions that may do no more than itself. */
function requireRights(caller: KeyHolder, { session, account, key }: StoredSession): void {
  const { scopes } = sessionAsKey(session, account, key)
  if (mayManage(caller.key, caller.account.role, scopes)) return
  throw new Problem('insufficient_scope', `To end a session you need its scopes: it has ${scopes.join(', ')}.`)
}

/** Exactly one of them. */
interface Credential {
  readonly key?: string
  readonly token?: string
  readonly passkey?: unknown
}

type SessionHolder = KeyHolder & { readonly session: Session }

const LINK_PROBLEMS = {
  unknown: ['unknown_link', 'This sign-in link is not known: it is incomplete, or too old. Ask for another one.'],
  used: ['used_link', 'This sign-in link was used already: it signs in once. Ask for another one.'],
  expired: ['expired_link', 'This sign-in link has expired. Ask for another one.'],
  blocked: ['account_blocked', 'The account is blocked. Ask the operator of this service.'],
} as const satisfies Record<LinkRefusal, unknown>

function linkProblem(refusal: LinkRefusal): Problem {
  const [code, detail] = LINK_PROBLEMS[refusal]
  return new Problem(code, detail)
}

const ANSWER = {
  status: 'mailed',
  detail:
    'If an account has this address, a link is on its way that signs you in within 15 minutes, and one to a new key that works for 24 hours. If none arrives, the address has no account here, or no mail can reach it.',
} as const

export function sessionResponse(session: Session, key: Pick<Key, 'expiresAt'> | null, currentId: string | null) {
  return {
    id: session.id,
    method: session.method,
    current: session.id === currentId,
    user_agent: session.userAgent,
    key_id: session.keyId,
    created_at: timeResponse(session.createdAt),
    last_used_at: timeResponse(session.seenAt),
    expires_at: timeResponse(Math.min(sessionEndsAt(session), key?.expiresAt ?? Number.POSITIVE_INFINITY)),
  }
}

function signedInResponse(session: Session, account: Account, key: Key) {
  return {
    session: sessionResponse(session, key, session.id),
    account: accountResponse(account),
    scopes: scopesLeft(key, account.role),
  }
}

/** The origin of the service's pages, which passkeys are bound to. */
export function pageOrigin(request: Pick<FastifyRequest, 'protocol' | 'host'>, publicUrl: string | null): string {
  const origin = ownOrigin(request, publicUrl)
  if (origin === null)
    throw new Problem('malformed_request', `Host must be the name of this service, not ${request.host}.`)
  return origin
}

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
  // A passkey signs in with all scopes of the role: a lesser key must not make one.
  needsWholeRole: true,
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
  needsWholeRole: true,
  summary: 'Remove a passkey',
  description: 'Ends the other sessions that were opened with it.',
  pathParameters: { id: 'The id of the passkey, such as `pas_01jd8z0c5x…`.' },
  response: { status: 204, description: 'The passkey has been removed.', schema: null },
  problems: ['cross_origin_request'],
})

const DEFAULT_NAME = 'Passkey'

function passkeyResponse(passkey: Passkey) {
  return {
    id: passkey.id,
    name: passkey.name,
    synchronised: passkey.backedUp,
    created_at: timeResponse(passkey.createdAt),
    last_used_at: timeResponse(passkey.lastUsedAt),
  }
}
