import { auditEntryOf } from '../../../accounts/audit.ts'
import { delegated, requireRole } from '../../../accounts/delegation.ts'
import { addKey, type IssuedKey, replacementCap } from '../../../accounts/keys.ts'
import { ACCOUNT_STATUSES, ROLES, SCOPES_BY_ROLE } from '../../../domain/accounts.ts'
import { type FieldError, invalidParameters, Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import type { Key } from '../../../domain/keys.ts'
import { parseChoice, parseLimit } from '../../../filter/parameter-values.ts'
import type { Store } from '../../../store/store.ts'
import { limitOf } from '../../auth/quotas.ts'
import {
  changeAccount,
  createAccountKey,
  listAccounts,
  listAllKeys,
  readAccount,
  readAnyKey,
  revokeAnyKey,
} from '../../contract/accounts/admin.ts'
import { sendAnswer } from '../../idempotency.ts'
import { invalidCursor, pageOf, parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { findKeyPage } from '../keys/page.ts'
import { parseKeyRequest } from '../keys/request.ts'
import { issuedKeyAnswer, keyResponses, requireIssued } from '../keys/response.ts'
import { auditRoutes } from './audit.ts'
import { changeMember } from './change-member.ts'
import { findAccount, findOpenAccount } from './find-account.ts'
import { accountResponses, quotasOf, usageDaysOf } from './response.ts'

const MAX_PAGE_SIZE = 100
/** More keys than one account can have that were used within a second. */
const MAX_CACHED_KEYS = 1000

export function adminRoutes(router: Router): void {
  auditRoutes(router)
  const { authenticator, environment } = router
  const { clock, config, geography } = environment

  router.add(listAccounts, async ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listAccounts, geography.places)
    const errors: FieldError[] = []
    const role = parseChoice('role', text('role'), ROLES, errors)
    const status = parseChoice('status', text('status'), ACCOUNT_STATUSES, errors)
    const limit = parseLimit(text('limit'), MAX_PAGE_SIZE, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const cursor = text('cursor')
    if (cursor !== null && !isIdentifier('account', cursor)) throw invalidCursor()
    const email = text('email')
    const filter = { ...(email && { email }), ...(role && { role }), ...(status && { status }) }
    const found = await store.accounts.list(filter, limit + 1, cursor)
    const page = pageOf(
      found,
      limit,
      ({ id }) => id,
      (account) => account,
    )
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
    const { text } = parametersOf(request, listAllKeys, geography.places)
    const account = text('account')
    if (account !== null && !isIdentifier('account', account))
      throw invalidParameters([{ parameter: 'account', message: 'must be the id of an account, such as acc_01jd8…' }])
    const { keys, ...page } = await findKeyPage(store, account, text('limit'), text('cursor'))
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
}

async function findKey(store: Store, id: string): Promise<Key> {
  const key = isIdentifier('key', id) ? await store.keys.find(id) : null
  if (key === null) throw unknownKey()
  return key
}

function unknownKey(): Problem {
  return new Problem('not_found', 'There is no such key.')
}
