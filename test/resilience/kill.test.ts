import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { killAtRandom } from '../../resilience/faults/kill.ts'
import { testDatabase } from '../support/postgres.ts'

const SHORT = { rounds: 3, longestRound: 1500, mostFailures: 1, mayHang: false, random: Math.random }

/** `npm run prove -- kill` does the same at length. */
describe('killed at random moments and started again, the service', { concurrency: true }, () => {
  it('delivers every confirmed incident to every watch, from SQLite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'incident-feed-kill-'))
    await using scope = new AsyncDisposableStack()
    scope.defer(() => rm(folder, { recursive: true, force: true }))
    await proves(`sqlite:${join(folder, 'feed.db')}`, 1)
  })

  it('and from PostgreSQL, where another process takes over', async () => {
    await using database = await testDatabase()
    await proves(database.url, 2)
  })
})

async function proves(databaseUrl: string, processes: number): Promise<void> {
  const { confirmed, owed, delivered, repeated, ...faults } = await killAtRandom({ ...SHORT, databaseUrl, processes })
  assert.equal(delivered, owed)
  assert.deepEqual(faults, {
    forgotten: 0,
    lost: 0,
    uncalledFor: 0,
    renamed: 0,
    outOfSequence: 0,
  })
  assert.ok(confirmed > 0 && owed > confirmed, `${confirmed} confirmed, ${owed} owed, ${repeated} repeated`)
}
