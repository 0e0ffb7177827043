import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import { type Attack, compareLatency, type Target } from '../../resilience/faults/fairness/compare-latency.ts'
import { hostsThatHang } from '../../resilience/faults/fairness/hanging-hosts.ts'
import { hangingPaths } from '../../resilience/faults/fairness/shared-host.ts'
import { unresolvedNames } from '../../resilience/faults/fairness/silent-names.ts'
import { probeService } from '../../resilience/faults/hostile/hostile.ts'
import { checkWebhooks } from '../../resilience/faults/webhooks/webhooks.ts'
import { floodWithWrongKeys } from '../../resilience/faults/wrong-key-flood.ts'
import { temporaryFolder } from '../support/folder.ts'
import { leftOut } from '../support/tier.ts'
import { assertPassed } from './assert-passed.ts'

test('strangers and other accounts can do nothing that they must not', async () => {
  const { checks } = await probeService()
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
})

/** `npm run resilience -- flood` sends more requests. */
test('a flood of wrong keys is refused, and valid keys are served', { skip: leftOut('flood') }, async () => {
  assertPassed(await floodWithWrongKeys('SQLite', 'sqlite::memory:', 500))
})

/** `npm run resilience -- webhooks` runs PostgreSQL as well. Needs libfaketime. */
test('the retry schedule and every action on watches are as documented', async (context) => {
  const { checks, notRun } = await checkWebhooks('SQLite', 'sqlite::memory:')
  if (notRun !== undefined) return context.skip(notRun)
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
})

const SHORT = { healthy: 2, incidents: 2, attackerAccounts: 1 }

/** `npm run resilience` measures; here it is enough that everything arrives under attack. */
describe('healthy accounts receive incidents', { skip: leftOut('shared-host hanging-hosts silent-names') }, () => {
  const attacks: [string, (target: Target) => Promise<Attack>][] = [
    ['beside 100 hanging paths at their host', hangingPaths(100)],
    ['beside 300 hanging hosts', hostsThatHang(300)],
    ['beside 50 silent names', unresolvedNames(50)],
  ]
  for (const [name, attack] of attacks) {
    it(name, async () => {
      await using folder = await temporaryFolder()
      const { checks } = await compareLatency(name, `sqlite:${join(folder.path, 'feed.db')}`, SHORT, attack)
      assert.equal(checks.length, 3)
    })
  }
})
