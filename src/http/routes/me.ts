import { dayOf, flushUsage } from '../../accounts/usage/usage-meter.ts'
import { readMe } from '../../contract/accounts/keys.ts'
import type { Router } from '../router.ts'
import { keyResponse, timeResponse } from './keys/response.ts'

export function meRoutes(router: Router): void {
  const { environment, authenticator } = router
  router.add(readMe, async ({ request, services: { store } }) => {
    const { account, key } = request.caller!
    const day = dayOf(environment.clock())
    // Flushed first, so that the count includes this request.
    await flushUsage(store, environment.usage)
    return {
      account: {
        id: account.id,
        email: account.email,
        name: account.name,
        created_at: timeResponse(account.createdAt),
      },
      key: keyResponse(key),
      scopes: key.scopes,
      limits: { requests_per_minute: authenticator.limitOf(request.caller!) },
      usage: { day, requests: await store.usage.countRequests(account.id, day) },
    }
  })
}
