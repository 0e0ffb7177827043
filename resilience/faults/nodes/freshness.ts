import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../../harness/check.ts'
import type { DropProxy } from '../../harness/drop-proxy.ts'
import type { Service } from '../../harness/service.ts'

/** A node reads the log every second, and says that it is behind after five. */
const CUT_OFF_MS = 8000
/** A read of the log that began before the cut may end after it. */
const MAX_LEAD_MS = 1500

/** Cuts a node off from the database: it must say since when it knows nothing new. */
export async function checkFreshness(service: Service, proxy: DropProxy): Promise<Check> {
  proxy.partition('both')
  const cutAt = Date.now()
  await wait(CUT_OFF_MS)
  const response = await fetch(`${service.url}/readyz`)
  const { status, in_step_at } = (await response.json()) as { status: string; in_step_at: string }
  proxy.heal('connections are reset')
  const leadMs = Date.parse(in_step_at) - cutAt
  return {
    name: 'a node that is cut off says that it is behind, and since when',
    passed: status === 'behind' && leadMs <= MAX_LEAD_MS,
    observed: `${status}, in step until ${(leadMs / 1000).toFixed(1)} s after the cut, asked ${CUT_OFF_MS / 1000} s after it`,
  }
}
