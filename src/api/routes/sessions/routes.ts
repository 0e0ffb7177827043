import type { FastifyReply } from 'fastify'
import { auditEntryOf } from '../../../accounts/audit.ts'
import type { KeyHolder } from '../../../accounts/key-cache.ts'
import { mayManage, SESSION_IDLE_MS, sessionAsKey } from '../../../domain/accounts.ts'
import { Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { keyState } from '../../../domain/keys.ts'
import type { Store, StoredSession } from '../../../store/store.ts'
import { createSession, endAllSessions, endSession, listSessions } from '../../contract/accounts/sessions.ts'
import type { Router } from '../../router.ts'
import { sessionResponse, signedInResponse } from './response.ts'
import { type Credential, SignIn } from './sign-in.ts'

export function sessionRoutes(router: Router): void {
  const { authenticator, environment } = router
  const { clock } = environment
  const { cookie } = authenticator.sessions
  const signIn = new SignIn(router)

  router.add(createSession, async ({ request, reply, body, services: { store } }) => {
    if (authenticator.sessions.isCrossOrigin(request))
      throw new Problem('cross_origin_request', 'Only the pages of this service sign people in.')
    const { secret, holder } = await signIn.open(store, request, reply, body as Credential)
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
}

/** Like a key, a caller ends only sessions that may do no more than itself. */
function requireRights(caller: KeyHolder, { session, account, key }: StoredSession): void {
  const { scopes } = sessionAsKey(session, account, key)
  if (mayManage(caller.key, caller.account.role, scopes)) return
  throw new Problem('insufficient_scope', `To end a session you need its scopes: it has ${scopes.join(', ')}.`)
}
