import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backUpBusy } from '../../../resilience/faults/backup.ts'
import { hasPassed } from '../../../resilience/scenario.ts'
import { temporaryFolder } from '../../support/folder.ts'

/** `npm run prove -- backup` does the same at length. */
test('a backup of a busy service is whole, and a service goes on from it', async () => {
  await using folder = await temporaryFolder()
  const short = { rounds: 1, maxFailures: 0, mayHang: false, random: Math.random }
  const result = await backUpBusy({ ...short, folder: folder.path })
  assert.ok(hasPassed({ setup: 'SQLite', ...result }), JSON.stringify(result))
})
