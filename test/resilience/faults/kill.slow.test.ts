import { join } from 'node:path'
import { describe, it } from 'node:test'
import { killAtRandom } from '../../../resilience/faults/kill.ts'
import { testDatabase } from '../../support/databases/postgres.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { assertPassed } from '../assert-passed.ts'

const SHORT = { rounds: 3, maxRoundMs: 1500, maxFailures: 1, mayHang: false, random: Math.random }

/** `npm run resilience -- kill` runs more rounds. */
describe('a service that is killed at random moments and restarted', { concurrency: true }, () => {
  it('delivers every confirmed incident to every watch, with SQLite', async () => {
    await using folder = await temporaryFolder()
    await assertDelivered(`sqlite:${join(folder.path, 'feed.db')}`, 1)
  })

  it('delivers every confirmed incident to every watch, with PostgreSQL and two processes', async () => {
    await using database = await testDatabase()
    await assertDelivered(database.url, 2)
  })
})

async function assertDelivered(databaseUrl: string, processes: number): Promise<void> {
  const { counts } = await killAtRandom({ ...SHORT, databaseUrl, processes })
  assertPassed({ setup: 'a killed service', times: SHORT.rounds, counts, checks: [] })
}
