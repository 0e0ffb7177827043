import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import { freezeAtRandom } from '../../resilience/faults/nodes/freeze.ts'
import { runNodes } from '../../resilience/faults/nodes/nodes.ts'
import { partitionAtRandom } from '../../resilience/faults/nodes/partition.ts'
import { HAPROXY, installed, NGINX } from '../../resilience/faults/rolling/balancer.ts'
import { addManyWatches } from '../../resilience/faults/rolling/many-watches.ts'
import { thisTree, withExpansion } from '../../resilience/faults/rolling/releases.ts'
import { restartInTurn } from '../../resilience/faults/rolling/rolling.ts'
import { formatTable } from '../../resilience/results-table.ts'
import { hasPassed } from '../../resilience/scenario.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { temporaryFolder } from '../support/folder.ts'
import { leftOut } from '../support/tier.ts'
import { assertPassed } from './assert-passed.ts'

/** `npm run resilience -- nodes` runs more rounds. */
it('three processes on one database keep limits, revocations and deliveries while the fan-out node is killed', {
  skip: leftOut('nodes'),
}, async () => {
  await using database = await testDatabase()
  const times = { maxRevocationMs: 30_000, maxTakeOverMs: 30_000 }
  const short = { rounds: 2, limits: [6, 120], overloadMinutes: 0, ...times }
  const base = { maxFailures: 1, mayHang: false, random: Math.random }
  const result = await runNodes({ ...short, ...base, databaseUrl: database.url })
  assert.ok(hasPassed(result), formatTable([['nodes', result]]))
  assert.ok(result.counts!.expected > 0)
})

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

/** `npm run resilience -- rolling` has more data and more restarts. */
for (const balancer of [HAPROXY, NGINX]) {
  test(`no read fails and no delivery is lost while three nodes behind ${balancer.name} are restarted in turn`, {
    skip: leftOut('rolling'),
  }, async (context) => {
    const program = installed(balancer)
    if (program === null) return context.skip(`${balancer.name} is not installed (apt-get install ${balancer.name})`)
    await using database = await testDatabase()
    await addManyWatches(database.url, 50)
    const size = { incidents: 0, watches: 50, rounds: 1, fullLoadMs: 0 }
    assertPassed(await restartInTurn({ ...size, balancer, program, databaseUrl: database.url }))
  })
}

/** `npm run resilience -- rolling` does so with the package of the last release. */
for (const order of ['upgraded to a newer schema', 'taken back to the release before']) {
  test(`no read fails and no delivery is lost while three nodes behind haproxy are ${order}`, {
    skip: leftOut('rolling'),
  }, async (context) => {
    const program = installed(HAPROXY)
    if (program === null) return context.skip('haproxy is not installed (apt-get install haproxy)')
    await using database = await testDatabase()
    using older = thisTree()
    using newer = withExpansion(older)
    const releases = order.startsWith('upgraded') ? { from: older, to: newer } : { from: newer, to: older }
    const size = { incidents: 0, watches: 0, rounds: 1, fullLoadMs: 0 }
    assertPassed(await restartInTurn({ ...size, releases, balancer: HAPROXY, program, databaseUrl: database.url }))
  })
}
