import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probeService } from '../../../resilience/faults/hostile/hostile.ts'

test('strangers and other accounts can do nothing that they must not', async () => {
  const { checks } = await probeService()
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
})
