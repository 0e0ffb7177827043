import { test } from 'node:test'
import { backUpBusyService } from '../../resilience/faults/backup/backup.ts'
import { sqliteBackups } from '../../resilience/faults/backup/stores.ts'
import { promoteWithLoss } from '../../resilience/faults/lossy-promotion.ts'
import { moveThereAndBack } from '../../resilience/faults/moving/moving.ts'
import { killPostgres } from '../../resilience/faults/postgres-kill.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { temporaryFolder } from '../support/folder.ts'
import { leftOut } from '../support/tier.ts'
import { assertPassed } from './assert-passed.ts'

/** `npm run resilience -- backup` runs more rounds, on both stores. */
test('a backup of a busy service is complete, and a service continues from it', async () => {
  await using folder = await temporaryFolder()
  const short = { rounds: 1, maxFailures: 0, mayHang: false, random: Math.random }
  assertPassed({ setup: 'SQLite', ...(await backUpBusyService(sqliteBackups(folder.path), short)) })
})

/** `npm run resilience -- moving` moves a hundred thousand incidents, and kills the first copy. */
test('a store that is moved to PostgreSQL and back is the same, and sends what was pending', {
  skip: leftOut('moving'),
}, async () => {
  await using database = await testDatabase('empty')
  assertPassed(await moveThereAndBack({ postgresUrl: database.url, incidents: 500, watches: 50, reports: 20 }))
})

/** `npm run resilience -- lossy-promotion` runs more rounds, with 5,000 watches. */
test('after a promotion that loses events, nodes and clients agree with the database', async () => {
  assertPassed(await promoteWithLoss({ rounds: 1, watches: 20, maxRecoveryMs: Number.POSITIVE_INFINITY }))
})

const SHORT = { rounds: 1, maxRunMs: 500, maxDownMs: 1000, maxFailures: 0, mayHang: false, random: Math.random }

/** `npm run resilience -- postgres-kill` runs more rounds. */
test('while PostgreSQL is killed and restarted nothing is lost, reads continue and writes get a 503', async () => {
  assertPassed(await killPostgres(SHORT))
})
