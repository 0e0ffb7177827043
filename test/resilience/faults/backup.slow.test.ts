import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backUpBusyService } from '../../../resilience/faults/backup.ts'
import { hasPassed } from '../../../resilience/scenario.ts'
import { temporaryFolder } from '../../support/folder.ts'

/** `npm run resilience -- backup` runs more rounds. */
test('a backup of a busy service is complete, and a service continues from it', async () => {
  await using folder = await temporaryFolder()
  const short = { rounds: 1, maxFailures: 0, mayHang: false, random: Math.random }
  const result = await backUpBusyService({ ...short, folder: folder.path })
  assert.ok(hasPassed({ setup: 'SQLite', ...result }), JSON.stringify(result))
})
