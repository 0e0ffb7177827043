import Type from 'typebox'
import { auditEntryOf } from '../../accounts/audit.ts'
import type { KeyHolder } from '../../accounts/key-cache.ts'
import { dayOf, flushUsage } from '../../accounts/usage-meter.ts'
import {
  type Account,
  confirmsDeletion,
  DELETED_ACCOUNT_NAME,
  deletionConfirmation,
  hasScope,
  scopesLeft,
} from '../../domain/accounts.ts'
import { invalidBody, Problem } from '../../domain/errors.ts'
import { SCOPES } from '../../domain/keys.ts'
import { AccountDeleted, type RemovedAccount, type Store } from '../../store/store.ts'
import { addressLimitOf, limitOf } from '../auth/quotas.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { Closed, Count, NamedObject, Nullable, OneOf, Text } from '../contract/schema.ts'
import { addressSubject } from '../request.ts'
import type { Router } from '../router.ts'
import { accountFields, accountResponse, quotasOf, usageDaysOf } from './account.ts'
import { keyResponse, keyResponses } from './keys.ts'
import { sessionResponse } from './sessions.ts'

const endpoint = endpointsOf({ tag: 'Keys', scope: 'watch' })

/** One line of text, as colleagues and the audit log show it. */
const Name = Type.String({ minLength: 1, maxLength: 100 })

NamedObject('OwnAccount', accountFields)

NamedObject('Me', {
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
        requests: Count('Requests by all keys of the account today (UTC).'),
        days: Type.Ref('UsageDays'),
      },
      { description: 'Null for a publishable key.' },
    ),
  ),
})

const readMe = endpoint('readMe', 'GET /v1/me', {
  summary: 'Read your account',
  description:
    "The account and its role, the key's scopes, every limit with what is used of it, and usage by day. A publishable key, which is public, sees its own limits only. With a session, `session` says since when, and `key` has the kind `session`.",
  response: ok('The account behind the key.', Type.Ref('Me')),
  scope: 'read',
})

const changeMe = endpoint('changeMe', 'PATCH /v1/me', {
  summary: 'Change the name of your account',
  description:
    'The audit log shows the name with what you do; null takes it away. Who has a role above client is known to colleagues by the name: there an admin changes it.',
  body: Closed({ name: Nullable(Name) }, { example: { name: 'Ada Obi' } }),
  response: ok('The account.', Type.Ref('OwnAccount')),
})

const deleteMe = endpoint('deleteMe', 'DELETE /v1/me', {
  needsWholeRole: true,
  summary: 'Delete your account',
  description:
    'For good, at once. Deleted: the watches with their secrets, headers and deliveries; saved areas and lists of sites; passkeys; the address and the name, in the audit log too. Every key is revoked and every session ends; streams and listeners close within two seconds. Nothing that waits is sent any more: not from this node after the answer, and not from others two seconds later. Usage counts stay, without a name. The same address can sign up again. You need all scopes of your role: `read` and `watch`. An account with a role above client is refused: an admin takes the role away first. A repeated request gets 401, because its key is revoked.',
  body: Closed(
    {
      confirm: Text(
        'The e-mail address of the account; its name if it has no address; its id if it has neither. `GET /v1/me` shows them.',
        { minLength: 1, maxLength: 254 },
      ),
    },
    { example: { confirm: 'you@example.org' } },
  ),
  response: { status: 204, description: 'The account is deleted.', schema: null },
  problems: ['has_desk_role'],
})

export function meRoutes(router: Router): void {
  const { environment, authenticator } = router
  const { config, clock } = environment

  router.add(readMe, async ({ request, services: { store } }) => {
    const caller = request.caller!
    if (caller.key.kind === 'publishable') return publishableMe(caller, addressSubject(request))
    const { account, key, session } = caller
    const now = clock()
    // Flushed first, so that the count includes this request.
    await flushUsage(store, environment.usage)
    const days = await usageDaysOf(store, account.id, now)
    return {
      account: accountResponse(account),
      key: (await keyResponses(store, [key], now))[0]!,
      session: session === undefined ? null : sessionResponse(session, key, session.id),
      scopes: scopesLeft(key, account.role),
      limits: {
        requests_per_minute: session ? config.RATE_LIMIT_SESSION : limitOf(config, account, 'requests_per_minute'),
      },
      quotas: await quotasOf(account, store, authenticator.quotas, config, now),
      usage: { day: dayOf(now), requests: days.at(-1)!.requests, days },
    }
  })

  router.add(changeMe, async ({ request, body, services: { store } }) => {
    const caller = request.caller!
    const changed = await renameOwnAccount(store, caller, body.name, clock())
    authenticator.keys.forget(caller.key.hash)
    return accountResponse(changed)
  })

  router.add(deleteMe, async ({ request, reply, body, services }) => {
    const caller = request.caller!
    const { keyHashes, sessionHashes } = await deleteOwnAccount(services.store, caller, body.confirm, clock())
    // Here at once; other nodes follow by their poll of revocations.
    environment.deletedAccounts.add([caller.account.id])
    const ended = new Set([...keyHashes, ...sessionHashes])
    for (const hash of ended) authenticator.keys.forget(hash)
    services.streams.revoke(ended)
    services.listeningStreams.revoke(ended)
    if (caller.session !== undefined) authenticator.sessions.cookie.clear(reply)
    return reply.status(204).send()
  })

  /** The key is public: whoever finds it must not learn whose it is, or how much it is used. */
  async function publishableMe(caller: KeyHolder, address: string) {
    const limit = addressLimitOf(config, caller)
    const used = await authenticator.quotas.usedByAddress(caller, address)
    return {
      account: null,
      key: { ...keyResponse(caller.key), name: null },
      session: null,
      scopes: scopesLeft(caller.key, caller.account.role),
      limits: { requests_per_minute: limit },
      quotas: { requests_per_minute: { limit, used, window_seconds: 60 } },
      usage: null,
    }
  }
}

async function renameOwnAccount(store: Store, caller: KeyHolder, name: string | null, now: number): Promise<Account> {
  const { account, key } = caller
  if (name !== null && (/\p{Cc}/u.test(name) || name.trim() === ''))
    throw invalidBody([{ pointer: '/name', message: 'must contain a visible character, and no control characters' }])
  // Colleagues tell each other apart by name: an editor must not take the name of another.
  if (account.role !== 'client' && !hasScope(key, account.role, 'admin'))
    throw new Problem('insufficient_scope', `You are ${account.role} here: an admin changes the name.`)
  if (name === account.name) return account
  const act = { action: 'account.change', subject: account.id, before: { name: account.name }, after: { name } }
  const changed = await store.withAudit(auditEntryOf(caller, act, now)).accounts.change(account.id, { name }, now)
  if (changed === null || changed === 'last_admin') throw new AccountDeleted()
  return changed
}

async function deleteOwnAccount(
  store: Store,
  caller: KeyHolder,
  confirm: string,
  now: number,
): Promise<RemovedAccount> {
  const { account } = caller
  if (account.role !== 'client') throw hasDeskRole(account)
  if (!confirmsDeletion(account, confirm)) throw notConfirmed(account)
  // The entry must not bring back the name that the deletion takes out of all others.
  const nameless = { ...caller, account: { ...account, name: DELETED_ACCOUNT_NAME } }
  const act = {
    action: 'account.delete',
    subject: account.id,
    before: { status: account.status },
    after: { status: 'deleted' },
  }
  const removed = await store.withAudit(auditEntryOf(nameless, act, now)).accounts.remove(account.id, now)
  if (removed === 'has_role') throw hasDeskRole(account)
  if (removed === null) throw new AccountDeleted()
  return removed
}

function notConfirmed(account: Account): Problem {
  const message = `must be the ${deletionConfirmation(account)} of the account, as GET /v1/me shows it; nothing was deleted`
  return invalidBody([{ pointer: '/confirm', message }])
}

function hasDeskRole({ role }: Account): Problem {
  const named = role === 'client' ? 'a role at the desk' : `the role ${role}`
  return new Problem(
    'has_desk_role',
    `The account has ${named}. An admin must take the role away first (make it a client); then it can be deleted.`,
  )
}
