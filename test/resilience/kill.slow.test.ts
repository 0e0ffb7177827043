import { join } from 'node:path'
import { describe, it } from 'node:test'
import { channelsKill } from '../../resilience/faults/channels/channels.ts'
import { killReporters } from '../../resilience/faults/idempotency-kill.ts'
import { killAtRandom } from '../../resilience/faults/kill.ts'
import { onEmptyDatabase } from '../../resilience/harness/databases.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { temporaryFolder } from '../support/folder.ts'
import { leftOut } from '../support/tier.ts'
import { assertPassed } from './assert-passed.ts'

const SHORT = { rounds: 1, maxRoundMs: 1500, maxFailures: 1, mayHang: false, random: Math.random }

/** `npm run resilience -- kill` runs more rounds; simulated nodes are killed at any moment. */
describe('a service that is killed at a random moment and restarted', { concurrency: true }, () => {
  it('delivers every confirmed incident to every watch, with SQLite', async () => {
    await using folder = await temporaryFolder()
    await assertDelivered(`sqlite:${join(folder.path, 'feed.db')}`, 1)
  })

  it('delivers every confirmed incident to every watch, with PostgreSQL and two processes', {
    skip: leftOut('kill'),
  }, async () => {
    await using database = await testDatabase()
    await assertDelivered(database.url, 2)
  })
})

async function assertDelivered(databaseUrl: string, processes: number): Promise<void> {
  const { counts } = await killAtRandom({ ...SHORT, databaseUrl, processes })
  assertPassed({ setup: 'a killed service', times: SHORT.rounds, counts, checks: [] })
}

/** `npm run resilience -- idempotency-kill` runs more rounds. */
describe('reports posted with an Idempotency-Key while the service is killed', {
  skip: leftOut('idempotency-kill'),
}, () => {
  for (const [store, processes] of [
    ['sqlite', 1],
    ['postgres', 2],
  ] as const) {
    it(`are stored once each, with ${processes} × ${store}`, async () => {
      const rounds = 3
      assertPassed(
        await onEmptyDatabase(store, (databaseUrl) =>
          killReporters({ store, databaseUrl, processes, rounds, random: Math.random }),
        ),
      )
    })
  }
})

/** `npm run resilience -- channels-kill channels-hanging` runs more. */
describe('a service that is killed while it writes to every channel', { skip: leftOut('channels-kill') }, () => {
  it('loses no message', async () => {
    for (const result of await channelsKill.quick!()) assertPassed(result)
  })
})
