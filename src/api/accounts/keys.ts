import Type, { type Static } from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import { delegated, grantExpiry, requireScopes } from '../../accounts/delegation.ts'
import type { KeyHolder } from '../../accounts/key-cache.ts'
import {
  addKey,
  earlierExpiry,
  type IssuedKey,
  type KeyRequest,
  keyCap,
  makeAccount,
  makeKey,
  replacementCap,
  rotateKey as rotate,
  SELF_SERVICE_SCOPES,
} from '../../accounts/keys.ts'
import { countRequestedMail, MailUnavailable, mailLink, secondsLeftOfDay } from '../../accounts/mail.ts'
import { SharedRateLimiter } from '../../accounts/rate-limiter.ts'
import type { Config } from '../../config/settings.ts'
import { canonicalAddress } from '../../domain/email-address.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import { KEY_KINDS, type Key, type KeyKind, normaliseOrigin, SCOPES } from '../../domain/keys.ts'
import { limitParameter, parseChoice } from '../../filter/parameters.ts'
import { parseTime } from '../../lib/time.ts'
import type { KeyPatch, KeyRefusal, KeyUsage, Store } from '../../store/store.ts'
import { limitOf, rateLimited } from '../auth/quotas.ts'
import { type Endpoint, endpointsOf, ok } from '../contract/endpoint.ts'
import {
  Closed,
  Count,
  EmailAddress,
  Flag,
  NamedObject,
  NamedPage,
  Nullable,
  OneOf,
  Text,
  Time,
} from '../contract/schema.ts'
import { sendAnswer } from '../idempotency.ts'
import { addressSubject, checkName, identifierCursor, listParametersOf, pageById, textsOf } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { RequestContext, Router } from '../router.ts'
import { type Environment, type Phase, publishSignUp, requireServices, servicesIfReady } from '../services.ts'
import { firstUsageDay } from './account.ts'

const endpoint = endpointsOf({ tag: 'Keys', scope: 'watch' })

const keyFields = {
  id: Text('The id, such as `key_01jd8z0c5x…`; not secret.'),
  kind: OneOf(
    [...(Object.keys(KEY_KINDS) as KeyKind[]), 'session'],
    '`publishable` keys can only read, and may be used in web pages. `session` only in `GET /v1/me`, for somebody who has signed in.',
  ),
  name: Nullable(Type.String()),
  hint: Text('The last four characters of the key.'),
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
  requests_last_30_days: Count('Requests with this key within 30 days.'),
}

NamedObject('Key', keyFields)

NamedObject('IssuedKey', {
  ...keyFields,
  key: Text('The key itself. It is shown only once: store it.'),
  account_id: Type.String(),
  email_verified: Type.Optional(
    Flag('Only after signing up: false, because nobody has proved the address yet. `email_note` says what follows.'),
  ),
  email_note: Type.Optional(Text('Only after signing up: what an address that nobody has proved is good for.')),
})

NamedObject(
  'PendingKey',
  { status: OneOf(['mailed']), detail: Type.String() },
  { description: 'Returned if the operator requires e-mail addresses to be confirmed first.' },
)

const Name = Nullable(Type.String({ minLength: 1, maxLength: 100, description: 'Your name for the key.' }))

const Origins = Type.Array(Type.String({ maxLength: 300 }), {
  maxItems: 20,
  description:
    'For publishable keys, such as `https://example.org`. Stored as browsers send them: lower case, punycode, no default port, no slash at the end.',
})

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

NamedPage('KeyList', 'Key')

const createKey = endpoint('createKey', 'POST /v1/keys', {
  summary: 'Get a key',
  description:
    'Requires no key: send an e-mail address and receive a key with the scopes `read` and `watch`. Nobody has proved the address then, so the account does not own it: signing in by mail opens an account apart, for whoever reads the mailbox. Called with a key, it adds another key to the same account; no address is needed then. A key creates only keys whose scopes it has itself, and that expire no later. An account has at most 20 valid keys, and creates at most 100 in 24 hours.',
  body: Closed(
    {
      email: Type.Optional(EmailAddress('Required if the request has no key.')),
      ...keyRequestFields,
    },
    { example: { email: 'you@example.org' } },
  ),
  response: { status: 201, description: 'The key, shown only once.', schema: Type.Ref('IssuedKey') },
  otherResponses: [
    { status: 202, description: 'An e-mail with a link to the key has been sent.', schema: Type.Ref('PendingKey') },
  ],
  problems: ['signup_closed', 'too_many_keys', 'mail_unavailable'],
  scope: null,
  scopeIfGiven: 'watch',
})

const listKeys = endpoint('listKeys', 'GET /v1/keys', {
  summary: 'List the keys of the account',
  description: 'Newest first, including revoked and expired keys, which are kept for 90 days.',
  query: keyPaging,
  response: ok('A page of keys.', Type.Ref('KeyList')),
})

const changeKey = endpoint('changeKey', 'PATCH /v1/keys/{id}', {
  summary: 'Change the name or the origins of a key',
  description: 'A key changes only keys whose scopes it has itself. New origins apply within two seconds on all nodes.',
  pathParameters: keyId,
  body: Closed(
    { name: Type.Optional(Name), origins: Type.Optional(Origins) },
    { minProperties: 1, example: { name: 'production' } },
  ),
  response: ok('The key.', Type.Ref('Key')),
})

export const rotateKey = endpoint('rotateKey', 'POST /v1/keys/{id}/rotate', {
  summary: 'Replace a key',
  description:
    'Issues a new key with the same permissions and expiry. The old key works for another 24 hours. A key rotates only keys whose scopes it has itself.',
  pathParameters: keyId,
  response: { status: 201, description: 'The new key, shown only once.', schema: Type.Ref('IssuedKey') },
  problems: ['too_many_keys'],
})

const revokeKey = endpoint('revokeKey', 'DELETE /v1/keys/{id}', {
  summary: 'Revoke a key',
  description:
    'The key stops working at once on this node and within two seconds on all nodes. Revoking it again changes nothing. A key revokes only keys whose scopes it has itself; the last live key of an account only with `?confirm=last`.',
  pathParameters: keyId,
  query: {
    confirm: {
      description: '`last` revokes the last live key of the account too.',
      example: 'last',
      values: ['last'],
    },
  },
  response: ok('The revoked key.', Type.Ref('Key')),
  problems: ['invalid_parameter', 'last_key'],
})

export function keyRoutes(router: Router): void {
  const { environment, currentPhase, authenticator } = router
  const { clock, config } = environment
  const countSignUp = signUpCounter(environment, currentPhase)
  const maxKeys = ({ account }: KeyHolder) => limitOf(config, account, 'keys')

  router.addBeforeReady(createKey, async ({ request, reply, body, phase, storeWith }) => {
    const keyRequest = parseKeyRequest(body, clock())
    const { caller } = request
    if (caller === null)
      return signUp(environment, phase, countSignUp, { request, reply, storeWith }, body.email, keyRequest)
    const max = maxKeys(caller)
    const storeFor = (issued: IssuedKey) => {
      const { id, scopes } = issued.key
      const entry = auditEntryOf(caller, { action: 'key.create', subject: id, after: { scopes } }, clock())
      return storeWith(issuedKeyAnswer(issued)).withAudit(entry)
    }
    const outcome = await addKey(storeFor, caller.account.id, delegated(caller, keyRequest), keyCap(max), clock())
    return sendAnswer(reply, issuedKeyAnswer(requireIssued(outcome, max)))
  })

  router.add(listKeys, async ({ request, services: { store } }) => {
    const { text, limit } = listParametersOf(request, listKeys)
    const { keys, ...page } = await findKeyPage(store, request.caller!.account.id, limit, text('cursor'))
    return { ...page, data: await keyResponses(store, keys, clock()) }
  })

  router.add(changeKey, async ({ request, parameters, body, services: { store } }) => {
    const caller = request.caller!
    const { id, kind } = await findManaged(store, caller, parameters.id, 'change')
    const patch = parseKeyPatch(body)
    if (kind === 'live' && patch.origins !== undefined)
      throw invalidBody([{ pointer: '/origins', message: 'is for publishable keys' }])
    const changed = await store.keys.change(caller.account.id, id, patch)
    if (changed === null) throw unknownKey()
    authenticator.keys.forget(changed.hash)
    return (await keyResponses(store, [changed], clock()))[0]!
  })

  router.add(rotateKey, async ({ request, reply, parameters, services: { store }, storeWith }) => {
    const caller = request.caller!
    const old = await findManaged(store, caller, parameters.id, 'rotate')
    // A key that is about to expire must not leave one that lasts.
    const expiresAt = old.id === caller.key.id ? old.expiresAt : earlierExpiry(old.expiresAt, grantExpiry(caller))
    const max = maxKeys(caller)
    const storeFor = (issued: IssuedKey) => {
      const act = { action: 'key.rotate', subject: old.id, after: { replaced_by: issued.key.id } }
      return storeWith(issuedKeyAnswer(issued)).withAudit(auditEntryOf(caller, act, clock()))
    }
    const outcome = await rotate(storeFor, old, expiresAt, replacementCap(max), clock())
    if (outcome === 'not_valid') throw new Problem('not_found', 'Your account has no valid key with this id.')
    authenticator.keys.forget(old.hash)
    return sendAnswer(reply, issuedKeyAnswer(requireIssued(outcome, 2 * max)))
  })

  router.add(revokeKey, async ({ request, parameters, services: { store } }) => {
    const text = textsOf(request, revokeKey)
    const errors: FieldError[] = []
    const confirm = parseChoice('confirm', text('confirm'), ['last'], errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const caller = request.caller!
    const { id, scopes } = await findManaged(store, caller, parameters.id, 'revoke')
    const entry = auditEntryOf(caller, { action: 'key.revoke', subject: id, before: { scopes } }, clock())
    const { keys } = store.withAudit(entry)
    const key = await keys.revoke(caller.account.id, id, clock(), confirm === 'last' ? 'allow' : 'refuse')
    if (key === null) throw unknownKey()
    if (key === 'last_key')
      throw new Problem('last_key', 'This is the last live key of your account. Send ?confirm=last to revoke it.')
    authenticator.keys.forget(key.hash)
    return (await keyResponses(store, [key], clock()))[0]!
  })
}

/** Finds a key of the caller's account that the caller's key may manage. */
async function findManaged(store: Store, caller: KeyHolder, id: string, verb: string): Promise<Key> {
  const key = isIdentifier('key', id) ? await store.keys.find(id) : null
  if (key?.accountId !== caller.account.id) throw unknownKey()
  requireScopes(caller, key.scopes, verb)
  return key
}

function unknownKey(): Problem {
  return new Problem('not_found', 'Your account has no such key.')
}

/** `accountId`: null for the keys of all accounts. */
export async function findKeyPage(store: Store, accountId: string | null, limit: number, cursor: string | null) {
  const found = await store.keys.list(accountId, limit + 1, identifierCursor('key', cursor))
  const { data: keys, ...page } = pageById(found, limit, (key) => key)
  return { keys, ...page }
}

const HOUR_MS = 3_600_000

/** SIGNUPS_PER_HOUR for each client address; throws 429 above it. */
function signUpCounter(environment: Environment, currentPhase: () => Phase): (address: string) => Promise<void> {
  const limit = environment.config.SIGNUPS_PER_HOUR
  const store = () => servicesIfReady(currentPhase())?.store ?? null
  const limiter = new SharedRateLimiter({ ...environment, store, windowMs: HOUR_MS })
  return async (address) => {
    const { allowed, resetsIn } = await limiter.consume(`sign-up ${address}`, limit)
    if (allowed) return
    publishSignUp(environment, 'refused')
    throw new Problem(
      'rate_limited',
      `One address may request ${limit} keys per hour. Use the key you have, or try again in ${resetsIn} s.`,
      { headers: { 'retry-after': String(resetsIn) } },
    )
  }
}

type SignUpRequest = Pick<RequestContext<Endpoint>, 'request' | 'reply' | 'storeWith'>

/** Gives a first key in the response or by mail, or refuses, as SIGNUP says. */
export async function signUp(
  environment: Environment,
  phase: Phase,
  countSignUp: ReturnType<typeof signUpCounter>,
  { request, reply, storeWith }: SignUpRequest,
  email: string | undefined,
  keyRequest: KeyRequest,
) {
  const { config, mailer, publicUrl, clock } = environment
  if (config.SIGNUP === 'closed')
    throw new Problem('signup_closed', 'The operator of this service issues keys by hand.')
  if (email === undefined) {
    throw new Problem('invalid_body', '/email is missing: it is needed in a request without a key.', {
      errors: [{ pointer: '/email', message: 'is missing' }],
    })
  }
  requireSelfService(keyRequest)
  await countSignUp(addressSubject(request))
  const { store } = requireServices(phase)
  const owner = { email: canonicalAddress(email), name: keyRequest.name ?? null }
  if (config.SIGNUP === 'open') {
    const account = makeAccount(owner, keyRequest, clock())
    const issued = makeKey(account.id, keyRequest, clock())
    await storeWith(signedUpAnswer(issued)).accounts.open(account, issued.key)
    publishSignUp(environment, 'opened')
    return sendAnswer(reply, signedUpAnswer(issued))
  }
  await countRequestedMails(store, config, 'sign-up', owner.email, addressSubject(request), clock())
  try {
    await mailLink(store, mailer!, publicUrl(), owner, clock())
  } catch (error) {
    if (!(error instanceof MailUnavailable)) throw error
    request.log.error({ err: error }, 'a mail could not be sent')
    throw new Problem('mail_unavailable', 'The mail with the link could not be sent.', {
      headers: { 'retry-after': '60' },
    })
  }
  publishSignUp(environment, 'mailed')
  reply.status(202)
  return {
    status: 'mailed' as const,
    detail: `A link to your key is on its way to ${owner.email}. It works for 24 hours.`,
  }
}

function requireSelfService({ kind = 'live', scopes = [] }: KeyRequest): void {
  const allowed = SELF_SERVICE_SCOPES[kind]
  if (scopes.every((scope) => allowed.includes(scope))) return
  const message = `can only be ${allowed.join(' and ')} for a new account; others come with a role that an admin gives`
  throw invalidBody([{ pointer: '/scopes', message, allowed }])
}

const fields = Type.Object(keyRequestFields)

type KeyBody = Static<typeof fields>

/** Checks what the schema cannot: a future expiry, and what publishable keys may have. */
export function parseKeyRequest(body: KeyBody, now: number): KeyRequest {
  const { name = null, kind = 'live', scopes, origins = [], expires_at = null } = body
  const expiresAt = expires_at === null ? null : parseTime(expires_at)
  const errors: FieldError[] = []
  if (expires_at !== null && (expiresAt === null || expiresAt <= now))
    errors.push({ pointer: '/expires_at', message: 'must be a time in the future' })
  if (kind === 'live' && origins.length > 0)
    errors.push({ pointer: '/origins', message: 'is for publishable keys; add "kind": "publishable"' })
  if (kind === 'publishable' && scopes?.some((scope) => scope !== 'read'))
    errors.push({ pointer: '/scopes', message: 'of a publishable key can only be read', allowed: ['read'] })
  checkName(name, errors)
  const normalised = parseOrigins(origins, errors)
  if (errors.length > 0) throw invalidBody(errors)
  return { name, kind, origins: normalised, expiresAt, ...(scopes ? { scopes: [...new Set(scopes)] } : {}) }
}

function parseKeyPatch(body: { name?: string | null; origins?: string[] }): KeyPatch {
  const errors: FieldError[] = []
  checkName(body.name, errors)
  const origins = body.origins && parseOrigins(body.origins, errors)
  if (errors.length > 0) throw invalidBody(errors)
  return { ...(body.name === undefined ? {} : { name: body.name }), ...(origins ? { origins } : {}) }
}

function parseOrigins(texts: readonly string[], errors: FieldError[]): string[] {
  const origins = new Set<string>()
  for (const [index, text] of texts.entries()) {
    const origin = normaliseOrigin(text)
    if (origin !== null) origins.add(origin)
    else
      errors.push({
        pointer: `/origins/${index}`,
        message: 'must be an origin without a path, such as https://example.org or http://localhost:3000',
      })
  }
  return [...origins]
}

export function keyResponse(key: Key, usage?: KeyUsage) {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    origins: key.origins,
    created_at: timeResponse(key.createdAt),
    expires_at: timeResponse(key.expiresAt),
    revoked_at: timeResponse(key.revokedAt),
    last_used_at: usage?.lastUsedAt ? timeResponse(usage.lastUsedAt) : null,
    requests_last_30_days: usage?.requests ?? 0,
  }
}

export async function keyResponses(store: Store, keys: readonly Key[], now: number) {
  const ids = keys.map(({ id }) => id)
  const usage = new Map((await store.usage.byKey(ids, firstUsageDay(now))).map((used) => [used.keyId, used]))
  return keys.map((key) => keyResponse(key, usage.get(key.id)))
}

function issuedKeyResponse({ key, text }: IssuedKey) {
  return { key: text, account_id: key.accountId, ...keyResponse(key) }
}

export function issuedKeyAnswer(issued: IssuedKey) {
  return { status: 201, body: issuedKeyResponse(issued) }
}

/** The same whether or not an account owns the address: a stranger learns nothing about it. */
function signedUpAnswer(issued: IssuedKey) {
  const body = { ...issuedKeyResponse(issued), email_verified: false, email_note: EMAIL_NOTE }
  return { status: 201, body }
}

const EMAIL_NOTE =
  'Nobody has proved the address. The key works, but its account gets no mail, and signing in by mail opens an account apart, which sees nothing of this one. For alerts by e-mail, sign in by mail and make a key there.'

export function requireIssued(outcome: IssuedKey | KeyRefusal, max: number): IssuedKey {
  if (typeof outcome !== 'string') return outcome
  const rule = {
    too_many: `An account may have ${max} valid keys. Revoke one that you do not need; GET /v1/me says how many more there may be while keys are replaced.`,
    too_many_today: 'An account may create 100 keys in 24 hours. Use the ones you have.',
  }
  throw new Problem('too_many_keys', rule[outcome])
}

/** Counts a mail that a stranger asked for; throws 429 at the limits of its kind. */
export async function countRequestedMails(
  store: Store,
  config: Config,
  kind: 'sign-in' | 'sign-up',
  email: string,
  client: string,
  now: number,
): Promise<void> {
  const { MAILS_PER_RECIPIENT, MAILS_PER_CLIENT, SIGN_IN_MAILS_PER_RECIPIENT, SIGN_IN_MAILS_PER_CLIENT } = config
  const limits =
    kind === 'sign-in'
      ? {
          perRecipient: SIGN_IN_MAILS_PER_RECIPIENT ?? MAILS_PER_RECIPIENT,
          perClient: SIGN_IN_MAILS_PER_CLIENT ?? MAILS_PER_CLIENT,
        }
      : { perRecipient: MAILS_PER_RECIPIENT, perClient: MAILS_PER_CLIENT }
  const refusal = await countRequestedMail(store.mails, kind, limits, email, client, now)
  if (refusal === null) return
  const rule =
    refusal === 'client_limit'
      ? `One client address may request ${limits.perClient} ${kind} mails a day.`
      : `One e-mail address is sent ${limits.perRecipient} ${kind} mails a day; the links to a key in them work for 24 hours.`
  throw rateLimited(rule, secondsLeftOfDay(now))
}
