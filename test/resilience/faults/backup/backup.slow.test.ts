import { test } from 'node:test'
import { backUpBusyService } from '../../../../resilience/faults/backup/backup.ts'
import { sqliteBackups } from '../../../../resilience/faults/backup/stores.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { assertPassed } from '../../assert-passed.ts'

/** `npm run resilience -- backup` runs more rounds, on both stores. */
test('a backup of a busy service is complete, and a service continues from it', async () => {
  await using folder = await temporaryFolder()
  const short = { rounds: 1, maxFailures: 0, mayHang: false, random: Math.random }
  assertPassed({ setup: 'SQLite', ...(await backUpBusyService(sqliteBackups(folder.path), short)) })
})
