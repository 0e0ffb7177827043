import { addKey, rotateKey as rotate } from '../../../accounts/keys/issue.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../contract/accounts/keys.ts'
import { Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import { SignUpLimit, signUp } from '../../auth/sign-up.ts'
import type { Router } from '../../router.ts'
import { storeOf } from '../../services.ts'
import { readKeyWish } from './request.ts'
import { issuedOnWire, keyOnWire } from './response.ts'

export function keyRoutes(router: Router): void {
  const { dependencies, door } = router
  const { clock } = dependencies
  const limit = new SignUpLimit(dependencies)

  router.add(createKey, async ({ request, reply, body }) => {
    const wish = readKeyWish(body, clock())
    if (request.caller === null) return signUp(dependencies, limit, request, reply, body.email, wish)
    if (!request.caller.key.scopes.includes('watch'))
      throw new Problem('insufficient_scope', 'A publishable key cannot make keys.')
    reply.status(201)
    return issuedOnWire(await addKey(storeOf(dependencies), request.caller.account.id, wish, clock()))
  })

  router.add(listKeys, async ({ request }) => {
    const keys = await storeOf(dependencies).keys.list(request.caller!.account.id)
    return { data: keys.map(keyOnWire) }
  })

  router.add(rotateKey, async ({ request, reply, parameters }) => {
    const store = storeOf(dependencies)
    const keys = await store.keys.list(request.caller!.account.id)
    const old = keys.find(({ id }) => id === parameters.id)
    const issued = old && (await rotate(store, old, clock()))
    if (!issued) throw new Problem('not_found', 'Your account has no such key that still works.')
    door.keys.forget(old.hash)
    reply.status(201)
    return issuedOnWire(issued)
  })

  router.add(revokeKey, async ({ request, parameters }) => {
    if (!isIdentifier('key', parameters.id)) throw new Problem('not_found', 'Your account has no such key.')
    const key = await storeOf(dependencies).keys.revoke(request.caller!.account.id, parameters.id, clock())
    if (key === null) throw new Problem('not_found', 'Your account has no such key.')
    door.keys.forget(key.hash)
    return keyOnWire(key)
  })
}
