import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killWhileSaving } from '../../../resilience/faults/saved/saved-archive-kill.ts'

/** `npm run resilience -- saved-archive` kills it more often, on a larger archive. */
test('a process killed while it saves its archive leaves one that is right', async () => {
  const { checks } = await killWhileSaving(3, 1000)
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
})
