import { auditEntryOf } from '../../../accounts/audit.ts'
import type { KeyHolder } from '../../../accounts/key-cache.ts'
import { MAX_PASSKEYS, registrationOptions, signInOptions, verifyRegistration } from '../../../accounts/passkeys.ts'
import { mayManage, SCOPES_BY_ROLE } from '../../../domain/accounts.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { createPasskey, deletePasskey, listPasskeys, passkeyOptions } from '../../contract/accounts/passkeys.ts'
import type { Router } from '../../router.ts'
import { pageOrigin } from './page-origin.ts'
import { passkeyResponse } from './response.ts'

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
