import { addKey, rotateKey as rotate } from '../../../accounts/keys/issue.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../contract/accounts/keys.ts'
import { Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import type { Router } from '../../router.ts'
import { requireServices } from '../../services.ts'
import { parseKeyRequest } from './request.ts'
import { issuedKeyResponse, keyResponse } from './response.ts'
import { SignUpLimit, signUp } from './sign-up.ts'

export function keyRoutes(router: Router): void {
  const { environment, currentPhase, authenticator } = router
  const { clock } = environment
  const limit = new SignUpLimit(environment, currentPhase)

  router.addBeforeReady(createKey, async ({ request, reply, body, phase }) => {
    const keyRequest = parseKeyRequest(body, clock())
    if (request.caller === null) return signUp(environment, phase, limit, request, reply, body.email, keyRequest)
    if (!request.caller.key.scopes.includes('watch'))
      throw new Problem('insufficient_scope', 'A publishable key cannot create keys.')
    reply.status(201)
    return issuedKeyResponse(await addKey(requireServices(phase).store, request.caller.account.id, keyRequest, clock()))
  })

  router.add(listKeys, async ({ request, services: { store } }) => {
    const keys = await store.keys.list(request.caller!.account.id)
    return { data: keys.map(keyResponse) }
  })

  router.add(rotateKey, async ({ request, reply, parameters, services: { store } }) => {
    const keys = await store.keys.list(request.caller!.account.id)
    const old = keys.find(({ id }) => id === parameters.id)
    const issued = old && (await rotate(store, old, clock()))
    if (!issued) throw new Problem('not_found', 'Your account has no valid key with this id.')
    authenticator.keys.forget(old.hash)
    reply.status(201)
    return issuedKeyResponse(issued)
  })

  router.add(revokeKey, async ({ request, parameters, services: { store } }) => {
    if (!isIdentifier('key', parameters.id)) throw new Problem('not_found', 'Your account has no such key.')
    const key = await store.keys.revoke(request.caller!.account.id, parameters.id, clock())
    if (key === null) throw new Problem('not_found', 'Your account has no such key.')
    authenticator.keys.forget(key.hash)
    return keyResponse(key)
  })
}
