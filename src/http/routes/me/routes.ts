import { keepUsage } from '../../../accounts/usage/keep-usage.ts'
import { dayOf, type UsageMeter } from '../../../accounts/usage/usage-meter.ts'
import { readMe } from '../../../contract/accounts/keys.ts'
import type { Router } from '../../router.ts'
import { storeOf } from '../../services.ts'
import { keyOnWire, timeOnWire } from '../keys/response.ts'

export function meRoutes(router: Router, usage: UsageMeter): void {
  const { dependencies, door } = router
  router.add(readMe, async ({ request }) => {
    const { account, key } = request.caller!
    const day = dayOf(dependencies.clock())
    // So that this very request is in the figure.
    await keepUsage(storeOf(dependencies), usage)
    return {
      account: { id: account.id, email: account.email, name: account.name, created_at: timeOnWire(account.createdAt) },
      key: keyOnWire(key),
      scopes: key.scopes,
      limits: { requests_per_minute: door.limitOf(request.caller!) },
      usage: { day, requests: await storeOf(dependencies).usage.countRequests(account.id, day) },
    }
  })
}
