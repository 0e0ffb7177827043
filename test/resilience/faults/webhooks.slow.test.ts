import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWebhooks } from '../../../resilience/faults/webhooks/webhooks.ts'

/** `npm run resilience -- webhooks` runs PostgreSQL as well. Needs libfaketime. */
test('the retry schedule and every action on watches are as documented', async (context) => {
  const { checks, notRun } = await checkWebhooks('SQLite', 'sqlite::memory:')
  if (notRun !== undefined) return context.skip(notRun)
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
})
