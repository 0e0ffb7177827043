import { join } from 'node:path'
import { describe, it } from 'node:test'
import { freezeAtRandom } from '../../../../resilience/faults/nodes/freeze.ts'
import { partitionAtRandom } from '../../../../resilience/faults/nodes/partition.ts'
import { testDatabase } from '../../../support/databases/postgres.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { leftOut } from '../../../support/tier.ts'
import { assertPassed } from '../../assert-passed.ts'

const random = Math.random

/** `npm run resilience -- freeze partition` runs more rounds, and measures how long others wait. */
describe('a service with a process that is lost for a while', { skip: leftOut('freeze partition') }, () => {
  it('loses nothing while one of two processes is frozen inside a transaction', async () => {
    await using database = await testDatabase()
    assertPassed(
      await freezeAtRandom({
        databaseUrl: database.url,
        processes: 2,
        rounds: 2,
        aimedRounds: 1,
        maxRecoveryMs: 60_000,
        random,
      }),
    )
  })

  it('loses nothing while its only process is frozen, with SQLite', async () => {
    await using folder = await temporaryFolder()
    const databaseUrl = `sqlite:${join(folder.path, 'feed.db')}`
    assertPassed(await freezeAtRandom({ databaseUrl, processes: 1, rounds: 2, maxRecoveryMs: 60_000, random }))
  })

  it('loses nothing while one of two processes is cut off from the database', async () => {
    await using database = await testDatabase()
    assertPassed(
      await partitionAtRandom({ databaseUrl: database.url, processes: 2, rounds: 2, maxRecoveryMs: 60_000, random }),
    )
  })
})
