import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runNodes } from '../../../../resilience/faults/nodes/nodes.ts'
import { formatTable } from '../../../../resilience/results-table.ts'
import { hasPassed } from '../../../../resilience/scenario.ts'
import { testDatabase } from '../../../support/databases/postgres.ts'
import { leftOut } from '../../../support/tier.ts'

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
