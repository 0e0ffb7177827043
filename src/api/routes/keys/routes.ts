import { auditEntryOf } from '../../../accounts/audit.ts'
import { delegated, grantExpiry, requireScopes } from '../../../accounts/delegation.ts'
import type { KeyHolder } from '../../../accounts/key-cache.ts'
import {
  addKey,
  earlierExpiry,
  type IssuedKey,
  keyCap,
  replacementCap,
  rotateKey as rotate,
} from '../../../accounts/keys.ts'
import { hasScope } from '../../../domain/accounts.ts'
import { type FieldError, invalidBody, invalidParameters, Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import type { Key } from '../../../domain/keys.ts'
import { parseChoice } from '../../../filter/parameter-values.ts'
import type { Store } from '../../../store/store.ts'
import { limitOf } from '../../auth/quotas.ts'
import { changeKey, createKey, listKeys, revokeKey, rotateKey } from '../../contract/accounts/keys.ts'
import { sendAnswer } from '../../idempotency.ts'
import { parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'
import { readKeyPage } from './page.ts'
import { parseKeyPatch, parseKeyRequest } from './request.ts'
import { issuedKeyAnswer, keyResponses, requireIssued } from './response.ts'
import { SignUpLimit, signUp } from './sign-up.ts'

export function keyRoutes(router: Router): void {
  const { environment, currentPhase, authenticator } = router
  const { clock, config, geography } = environment
  const limit = new SignUpLimit(environment, currentPhase)
  const maxKeys = ({ account }: KeyHolder) => limitOf(config, account, 'keys')

  router.addBeforeReady(createKey, async ({ request, reply, body, phase, storeWith }) => {
    const keyRequest = parseKeyRequest(body, clock())
    const { caller } = request
    if (caller === null) return signUp(environment, phase, limit, { request, reply, storeWith }, body.email, keyRequest)
    if (!hasScope(caller.key, caller.account.role, 'watch'))
      throw new Problem('insufficient_scope', 'This needs a key with the scope "watch".')
    const max = maxKeys(caller)
    const storeFor = (issued: IssuedKey) => {
      const { id, scopes } = issued.key
      const entry = auditEntryOf(caller, { action: 'key.create', subject: id, after: { scopes } }, clock())
      return storeWith(issuedKeyAnswer(issued)).withAudit(entry)
    }
    const outcome = await addKey(storeFor, caller.account.id, delegated(caller, keyRequest), keyCap(max), clock())
    return sendAnswer(reply, issuedKeyAnswer(requireIssued(outcome, max)))
  })

  router.add(listKeys, ({ request, services: { store } }) => {
    const { text } = parametersOf(request, listKeys, geography.places)
    return readKeyPage(store, request.caller!.account.id, text('limit'), text('cursor'), clock())
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
    const { text } = parametersOf(request, revokeKey, geography.places)
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
