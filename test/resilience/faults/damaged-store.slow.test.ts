import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startOnDamagedStore } from '../../../resilience/faults/damaged-store.ts'
import { openStore } from '../../../src/store/open.ts'
import { created, NOW } from '../../store/fixtures.ts'
import { temporaryFolder } from '../../support/folder.ts'

/**
 * `npm run resilience -- damaged-store` tests more kinds of damage on a used store, and PostgreSQL.
 */
test('a service refuses a damaged store with one line and writes nothing to it', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'feed.db')
  {
    await using store = await openStore(`sqlite:${file}`)
    await store.incidents.save([created(1), created(2)], NOW)
  }
  const checks = await startOnDamagedStore(file, ['that is empty', 'truncated in the middle', 'of a newer build'])
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
  assert.equal(checks.length, 3)
})
