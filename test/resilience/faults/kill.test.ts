import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { killAtRandom } from '../../../resilience/faults/kill.ts'
import { testDatabase } from '../../support/postgres.ts'

const SHORT = { rounds: 3, maxRoundMs: 1500, maxFailures: 1, mayHang: false, random: Math.random }

/** `npm run prove -- kill` does the same at length. */
describe('killed at random moments and started again, the service', { concurrency: true }, () => {
  it('delivers every confirmed incident to every watch, from SQLite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'incident-feed-kill-'))
    await using scope = new AsyncDisposableStack()
    scope.defer(() => rm(folder, { recursive: true, force: true }))
    await proves(`sqlite:${join(folder, 'feed.db')}`, 1)
  })

  it('and from PostgreSQL, setup another process takes over', async () => {
    await using database = await testDatabase()
    await proves(database.url, 2)
  })
})

async function proves(databaseUrl: string, processes: number): Promise<void> {
  const { confirmed, expected, delivered, duplicated, ...faults } = await killAtRandom({
    ...SHORT,
    databaseUrl,
    processes,
  })
  assert.equal(delivered, expected)
  assert.deepEqual(faults, {
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
