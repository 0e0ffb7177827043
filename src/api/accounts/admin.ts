import Type from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import { delegated, requireRole, requireRoleScopes } from '../../accounts/delegation.ts'
import type { KeyHolder } from '../../accounts/key-cache.ts'
import { addKey, type IssuedKey, replacementCap } from '../../accounts/keys.ts'
import { MailUnavailable } from '../../accounts/mail.ts'
import {
  INVITATION_VALID_MS,
  issueSignInLink,
  mailInvitation,
  type NewLink,
  newMember,
} from '../../accounts/sign-in.ts'
import {
  ACCOUNT_STATUSES,
  type Account,
  type AccountLimits,
  isHigherRole,
  LIMIT_NAMES,
  ROLES,
  type Role,
  SCOPES_BY_ROLE,
  SETTABLE_STATUSES,
  type SettableStatus,
} from '../../domain/accounts.ts'
import { canonicalAddress, parseEmailAddress } from '../../domain/email-address.ts'
import { invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Key } from '../../domain/keys.ts'
import { limitParameter } from '../../filter/parameters.ts'
import type { Store } from '../../store/store.ts'
import { limitOf } from '../auth/quotas.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import {
  Closed,
  EmailAddress,
  Flag,
  Named,
  NamedObject,
  NamedPage,
  Nullable,
  NullableText,
  OneOf,
  Time,
} from '../contract/schema.ts'
import { sendAnswer } from '../idempotency.ts'
import { identifierCursor, listParametersOf, pageById, requireName } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'
import { accountFields, accountResponses, quotasOf, usageDaysOf } from './account.ts'
import { auditRoutes } from './audit.ts'
import {
  findKeyPage,
  issuedKeyAnswer,
  keyId,
  keyPaging,
  keyRequestFields,
  keyResponses,
  parseKeyRequest,
  requireIssued,
} from './keys.ts'

const endpoint = endpointsOf({ tag: 'Admin', scope: 'admin' })

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

NamedObject('Account', fields)

NamedPage('AccountList', 'Account')

NamedObject('AccountWithUsage', {
  ...fields,
  quotas: Type.Ref('Quotas'),
  usage: Type.Object({ days: Type.Ref('UsageDays') }),
})

Named('AdminKey', Type.Intersect([Type.Ref('Key'), Type.Object({ account_id: Type.String() })]))

NamedObject('IssuedLink', {
  url: NullableText('The link, shown only once; null if it was mailed. Whoever opens it is signed in.'),
  mailed: Flag('Whether the link was mailed to the person.'),
  expires_at: Time('Until when the link can be used, once.'),
})

NamedObject('InvitedAccount', { account: Type.Ref('Account'), invitation: Type.Ref('IssuedLink') })

const accountId = { id: 'The id of the account, such as `acc_01jd8z0c5x…`.' }

const listAccounts = endpoint('listAccounts', 'GET /v1/admin/accounts', {
  summary: 'List accounts',
  description: 'Newest first. All given filters must hold.',
  query: {
    email: {
      description: 'The address, in any case. Accounts that only claim it are listed too.',
      example: 'ada@example.org',
    },
    role: { description: 'The role.', example: 'editor', values: ROLES },
    status: { description: 'The status.', example: 'blocked', values: ACCOUNT_STATUSES },
    limit: limitParameter('Accounts', 100),
    cursor: { description: '`next_cursor` of the page before.', example: 'acc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
  },
  response: ok('A page of accounts.', Type.Ref('AccountList')),
})

const readAccount = endpoint('readAccount', 'GET /v1/admin/accounts/{id}', {
  summary: 'Read an account',
  description: 'With every limit, what is used of it, and usage by day.',
  pathParameters: accountId,
  response: ok('The account.', Type.Ref('AccountWithUsage')),
})

const changeAccount = endpoint('changeAccount', 'PATCH /v1/admin/accounts/{id}', {
  summary: 'Change the name, the role, the status or the limits of an account',
  description:
    'A lower role takes scopes from all keys and sessions of the account at once; a higher role removes its passkeys. Nobody raises their own role, and your own key or session must have all scopes of the role that it gives. Blocking refuses all its keys, ends its sessions, closes its streams within two seconds and disables its watches; unblocking enables those again. The last admin that can sign in can be neither blocked nor demoted. Limits that are not named stay as they are.',
  pathParameters: accountId,
  body: Closed(
    {
      role: Type.Optional(OneOf(ROLES)),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      status: Type.Optional(OneOf(SETTABLE_STATUSES)),
      limits: Type.Optional(Closed(limitFields)),
    },
    { minProperties: 1, example: { role: 'editor' } },
  ),
  response: ok('The account.', Type.Ref('Account')),
  problems: ['last_admin'],
})

const createAccountKey = endpoint('createAccountKey', 'POST /v1/admin/accounts/{id}/keys', {
  summary: 'Issue a key for an account',
  description:
    "For an account whose keys are lost. By default the key has all scopes of the account's role; the admin's key must have them too, and expire no earlier.",
  pathParameters: accountId,
  body: Closed(keyRequestFields, { example: { name: 'replacement' } }),
  bodyCheck: 'where given',
  response: { status: 201, description: 'The key, shown only once.', schema: Type.Ref('IssuedKey') },
  problems: ['too_many_keys'],
})

const listAllKeys = endpoint('listAllKeys', 'GET /v1/admin/keys', {
  summary: 'List the keys of all accounts, or of one',
  query: {
    account: { description: 'Only keys of this account.', example: 'acc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
    ...keyPaging,
  },
  response: ok(
    'A page of keys, newest first.',
    Type.Object({
      data: Type.Array(Type.Ref('AdminKey')),
      has_more: Type.Boolean(),
      next_cursor: Nullable(Type.String()),
    }),
  ),
})

const readAnyKey = endpoint('readAnyKey', 'GET /v1/admin/keys/{id}', {
  summary: 'Read a key of any account',
  pathParameters: keyId,
  response: ok('The key.', Type.Ref('AdminKey')),
})

const revokeAnyKey = endpoint('revokeAnyKey', 'DELETE /v1/admin/keys/{id}', {
  summary: 'Revoke a key of any account',
  description: 'The key stops working at once on this node and within two seconds on all nodes.',
  pathParameters: keyId,
  response: ok('The revoked key.', Type.Ref('AdminKey')),
})

const inviteAccount = endpoint('inviteAccount', 'POST /v1/admin/accounts', {
  summary: 'Invite a person',
  description:
    'Opens an account for a person, without a key, and mails a link that signs them in. You vouch for the address: the account owns it, and accounts that were opened with it without proof name it no more. If an account owns the address already, the answer names it: change its role instead. Where the service sends no mail, the answer has the link, to be handed over. The link works once, for 72 hours; afterwards the person asks for another at `/sign-in`. Your own key or session must have the scopes of the role.',
  neverReplayed: true,
  body: Closed(
    {
      email: EmailAddress(),
      name: Type.String({ minLength: 1, maxLength: 100, description: 'The name that colleagues see at the desk.' }),
      role: OneOf(ROLES),
    },
    { example: { email: 'ada@example.org', name: 'Ada Obi', role: 'editor' } },
  ),
  response: { status: 201, description: 'The account and its link.', schema: Type.Ref('InvitedAccount') },
  problems: ['account_exists', 'mail_unavailable'],
})

const createSignInLink = endpoint('createSignInLink', 'POST /v1/admin/accounts/{id}/sign-in-link', {
  summary: 'Issue a sign-in link for a person',
  description:
    "For installations without mail, and for people who lost all their ways in. It works once, for 15 minutes. Your own key or session must have the scopes of the account's role.",
  neverReplayed: true,
  pathParameters: { id: 'The id of the account, such as `acc_01jd8z0c5x…`.' },
  response: { status: 201, description: 'The link, shown only once.', schema: Type.Ref('IssuedLink') },
})

/** More keys than one account can have that were used within a second. */
const MAX_CACHED_KEYS = 1000

export function adminRoutes(router: Router): void {
  auditRoutes(router)
  const { authenticator, environment } = router
  const { clock, config, mailer, publicUrl } = environment

  router.add(listAccounts, async ({ request, services: { store } }) => {
    const { text, limit, choices } = listParametersOf(request, listAccounts)
    const { role, status } = choices
    const cursor = identifierCursor('account', text('cursor'))
    const email = addressFilter(text('email'))
    const filter = { ...(email && { email }), ...(role && { role }), ...(status && { status }) }
    const found = await store.accounts.list(filter, limit + 1, cursor)
    const page = pageById(found, limit, (account) => account)
    return { ...page, data: await accountResponses(store, page.data, clock()) }
  })

  router.add(readAccount, async ({ parameters, services: { store } }) => {
    const account = await findAccount(store, parameters.id)
    const [response] = await accountResponses(store, [account], clock())
    return {
      ...response!,
      quotas: await quotasOf(account, store, authenticator.quotas, config, clock()),
      usage: { days: await usageDaysOf(store, account.id, clock()) },
    }
  })

  router.add(changeAccount, async ({ request, parameters, body, services: { store } }) => {
    const changed = await changeMember(store, request.caller!, parameters.id, body, clock())
    for (const key of await store.keys.list(changed.id, MAX_CACHED_KEYS, null)) authenticator.keys.forget(key.hash)
    const sessions = await store.sessions.list(changed.id, 0, 0)
    authenticator.sessions.forget(sessions.map(({ session }) => session.hash))
    return (await accountResponses(store, [changed], clock()))[0]!
  })

  router.add(createAccountKey, async ({ request, reply, parameters, body, services: { store }, storeWith }) => {
    const account = await findOpenAccount(store, parameters.id)
    const asked = parseKeyRequest(body ?? {}, clock())
    const allowed = asked.kind === 'publishable' ? (['read'] as const) : SCOPES_BY_ROLE[account.role]
    const keyRequest = delegated(request.caller!, { scopes: allowed, ...asked })
    requireRole(account, keyRequest.scopes!, allowed)
    const max = limitOf(config, account, 'keys')
    const storeFor = (issued: IssuedKey) => {
      const after = { account_id: account.id, scopes: issued.key.scopes }
      const act = { action: 'key.create', subject: issued.key.id, after }
      return storeWith(issuedKeyAnswer(issued)).withAudit(auditEntryOf(request.caller!, act, clock()))
    }
    const outcome = await addKey(storeFor, account.id, keyRequest, replacementCap(max), clock())
    return sendAnswer(reply, issuedKeyAnswer(requireIssued(outcome, 2 * max)))
  })

  router.add(listAllKeys, async ({ request, services: { store } }) => {
    const { text, limit } = listParametersOf(request, listAllKeys)
    const account = text('account')
    if (account !== null && !isIdentifier('account', account))
      throw invalidParameters([{ parameter: 'account', message: 'must be the id of an account, such as acc_01jd8…' }])
    const { keys, ...page } = await findKeyPage(store, account, limit, text('cursor'))
    return { ...page, data: await adminKeyResponses(store, keys) }
  })

  router.add(readAnyKey, async ({ parameters, services: { store } }) => {
    return (await adminKeyResponses(store, [await findKey(store, parameters.id)]))[0]!
  })

  router.add(revokeAnyKey, async ({ request, parameters, services: { store } }) => {
    const { accountId, id, scopes } = await findKey(store, parameters.id)
    const act = { action: 'key.revoke', subject: id, before: { account_id: accountId, scopes } }
    const { keys } = store.withAudit(auditEntryOf(request.caller!, act, clock()))
    const revoked = await keys.revoke(accountId, id, clock(), 'allow')
    if (revoked === null || revoked === 'last_key') throw unknownKey()
    authenticator.keys.forget(revoked.hash)
    return (await adminKeyResponses(store, [revoked]))[0]!
  })

  async function adminKeyResponses(store: Store, keys: readonly Key[]) {
    const responses = await keyResponses(store, keys, clock())
    return responses.map((response, index) => ({ ...response, account_id: keys[index]!.accountId }))
  }

  router.add(inviteAccount, async ({ request, reply, body, services: { store } }) => {
    const { name, role } = body
    requireName(name)
    requireRoleScopes(request.caller!, role)
    const now = clock()
    const account = newMember({ email: canonicalAddress(body.email), name, role }, now)
    const after = { email: account.email, name, role }
    const entry = auditEntryOf(request.caller!, { action: 'account.create', subject: account.id, after }, now)
    const outcome = await store.withAudit(entry).accounts.open(account, null)
    if (outcome === 'address_taken') throw await addressTaken(store, account.email)
    const link = await invite(account)
    const [response] = await accountResponses(store, [account], now)
    reply.status(201).header('cache-control', 'no-store')
    return { account: response!, invitation: linkResponse(link, mailer !== null) }

    async function invite(invited: typeof account): Promise<NewLink> {
      if (mailer === null)
        return issueSignInLink(store, publicUrl(), { accountId: invited.id, validMs: INVITATION_VALID_MS }, now)
      try {
        return await mailInvitation(store, mailer, publicUrl(), invited, now)
      } catch (error) {
        if (!(error instanceof MailUnavailable)) throw error
        request.log.error({ err: error }, 'an invitation could not be mailed')
        throw new Problem(
          'mail_unavailable',
          `The account ${invited.id} was opened, but the invitation could not be mailed. The person can ask for a link at ${publicUrl()}/sign-in.`,
          { headers: { 'retry-after': '60' } },
        )
      }
    }
  })

  router.add(createSignInLink, async ({ request, reply, parameters, services: { store } }) => {
    const account = await findOpenAccount(store, parameters.id)
    requireRoleScopes(request.caller!, account.role)
    const now = clock()
    const entry = auditEntryOf(request.caller!, { action: 'account.sign_in_link', subject: account.id }, now)
    const link = await issueSignInLink(store.withAudit(entry), publicUrl(), { accountId: account.id }, now)
    reply.status(201).header('cache-control', 'no-store')
    return linkResponse(link, false)
  })
}

async function findKey(store: Store, id: string): Promise<Key> {
  const key = isIdentifier('key', id) ? await store.keys.find(id) : null
  if (key === null) throw unknownKey()
  return key
}

function unknownKey(): Problem {
  return new Problem('not_found', 'There is no such key.')
}

function linkResponse({ url, expiresAt }: NewLink, mailed: boolean) {
  return { url: mailed ? null : url, mailed, expires_at: timeResponse(expiresAt) }
}

/** One person has one account: with two, a mailed link would have to ask which. */
async function addressTaken(store: Store, email: string): Promise<Problem> {
  const owner = await store.accounts.findOwner(email)
  if (owner === null) return new Problem('account_exists', 'An account had this address a moment ago. Try again.')
  const state = owner.status === 'blocked' ? 'blocked ' : ''
  return new Problem(
    'account_exists',
    `The ${state}account ${owner.id} has this address, with the role ${owner.role}. Change that one.`,
  )
}

function addressFilter(text: string | null): string | null {
  if (text === null) return null
  const parsed = parseEmailAddress(text)
  if ('address' in parsed) return parsed.address
  throw invalidParameters([{ parameter: 'email', message: parsed.fault }])
}

interface AccountChange {
  readonly name?: string
  readonly role?: Role
  readonly status?: SettableStatus
  readonly limits?: Record<string, number | null | undefined>
}

/** Changes an account, on record, as far as the rights of the caller and the last admin allow. */
async function changeMember(
  store: Store,
  caller: KeyHolder,
  id: string,
  change: AccountChange,
  now: number,
): Promise<Account> {
  const account = await findOpenAccount(store, id)
  const { name, role, status } = change
  requireName(name)
  if (role !== undefined) requireRightTo(caller, account, role)
  const limits = change.limits && mergeLimits(account.limits, change.limits)
  const patch = { ...(name && { name }), ...(role && { role }), ...(status && { status }), ...(limits && { limits }) }
  const act = {
    action: 'account.change',
    subject: id,
    before: changeable(account),
    after: changeable({ ...account, ...patch }),
  }
  const changed = await store.withAudit(auditEntryOf(caller, act, now)).accounts.change(account.id, patch, now)
  if (changed === null) throw unknownAccount()
  if (changed === 'last_admin')
    throw new Problem('last_admin', 'This is the last admin that can sign in. Make another account an admin first.')
  return changed
}

function changeable({ name, role, status, limits }: Account) {
  return { name, role, status, limits }
}

function requireRightTo(caller: KeyHolder, account: Account, role: Role): void {
  if (!isHigherRole(role, account.role)) return
  if (caller.account.id === account.id)
    throw new Problem('insufficient_scope', 'Nobody raises their own role: another admin does.')
  requireRoleScopes(caller, role)
}

/** Null removes the account's own limit. */
function mergeLimits(limits: AccountLimits, changes: NonNullable<AccountChange['limits']>): AccountLimits {
  const merged = Object.entries({ ...limits, ...changes }).filter(([, limit]) => limit !== null)
  return Object.fromEntries(merged) as AccountLimits
}

async function findAccount(store: Store, id: string): Promise<Account> {
  const account = isIdentifier('account', id) ? await store.accounts.find(id) : null
  if (account === null) throw unknownAccount()
  return account
}

/** For what a deleted account cannot have any more. */
async function findOpenAccount(store: Store, id: string): Promise<Account> {
  const account = await findAccount(store, id)
  if (account.status === 'deleted') throw new Problem('not_found', 'The account was deleted.')
  return account
}

function unknownAccount(): Problem {
  return new Problem('not_found', 'There is no such account.')
}
