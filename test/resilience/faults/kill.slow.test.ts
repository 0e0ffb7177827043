import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { killAtRandom } from '../../../resilience/faults/kill.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { testDatabase } from '../../support/postgres.ts'

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
  const counts = await killAtRandom({ ...SHORT, databaseUrl, processes })
  const { confirmed, expected, delivered, duplicated, ...failures } = counts
  assert.equal(delivered, expected)
  assert.deepEqual(failures, {
    missingFromLog: 0,
    lost: 0,
    unexpected: 0,
    idChanged: 0,
    outOfOrder: 0,
  })
  assert.ok(
    confirmed > 0 && expected > confirmed,
    `${confirmed} confirmed, ${expected} expected, ${duplicated} duplicated`,
  )
}
