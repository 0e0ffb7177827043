import { readMe } from '../../contract/keys.ts'
import { keepUsage } from '../../keys/keep-usage.ts'
import { dayOf, type UsageMeter } from '../../keys/usage-meter.ts'
import { storeOf } from '../dependencies.ts'
import { keyOnWire, timeOnWire } from '../key-wire.ts'
import type { Router } from '../router.ts'

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
      usage: { day, requests: await storeOf(dependencies).usage.ofAccount(account.id, day) },
    }
  })
}
