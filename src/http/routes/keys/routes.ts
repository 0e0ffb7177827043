import { addKey, type IssuedKey, rotateKey as rotate } from '../../../accounts/keys/issue.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../contract/accounts/keys.ts'
import { Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { sendAnswer } from '../../requests/idempotency/answer.ts'
import type { Router } from '../../router.ts'
import { parseKeyRequest } from './request.ts'
import { issuedKeyAnswer, keyResponse } from './response.ts'
import { SignUpLimit, signUp } from './sign-up.ts'

export function keyRoutes(router: Router): void {
  const { environment, currentPhase, authenticator } = router
  const { clock } = environment
  const limit = new SignUpLimit(environment, currentPhase)

  router.addBeforeReady(createKey, async ({ request, reply, body, phase, storeWith }) => {
    const keyRequest = parseKeyRequest(body, clock())
    if (request.caller === null)
      return signUp(environment, phase, limit, { request, reply, storeWith }, body.email, keyRequest)
    if (!request.caller.key.scopes.includes('watch'))
      throw new Problem('insufficient_scope', 'A publishable key cannot create keys.')
    const storeFor = (issued: IssuedKey) => storeWith(issuedKeyAnswer(issued))
    return sendAnswer(reply, issuedKeyAnswer(await addKey(storeFor, request.caller.account.id, keyRequest, clock())))
  })

  router.add(listKeys, async ({ request, services: { store } }) => {
    const keys = await store.keys.list(request.caller!.account.id)
    return { data: keys.map(keyResponse) }
  })

  router.add(rotateKey, async ({ request, reply, parameters, services: { store }, storeWith }) => {
    const keys = await store.keys.list(request.caller!.account.id)
    const old = keys.find(({ id }) => id === parameters.id)
    const issued = old && (await rotate((made) => storeWith(issuedKeyAnswer(made)), old, clock()))
    if (!issued) throw new Problem('not_found', 'Your account has no valid key with this id.')
    authenticator.keys.forget(old.hash)
    return sendAnswer(reply, issuedKeyAnswer(issued))
  })

  router.add(revokeKey, async ({ request, parameters, services: { store } }) => {
    if (!isIdentifier('key', parameters.id)) throw new Problem('not_found', 'Your account has no such key.')
    const key = await store.keys.revoke(request.caller!.account.id, parameters.id, clock())
    if (key === null) throw new Problem('not_found', 'Your account has no such key.')
    authenticator.keys.forget(key.hash)
    return keyResponse(key)
  })
}
