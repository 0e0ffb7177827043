import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nodesTogether } from '../../../../resilience/faults/nodes/nodes.ts'
import { formatTable } from '../../../../resilience/results-table.ts'
import { hasPassed } from '../../../../resilience/scenario.ts'
import { testDatabase } from '../../../support/postgres.ts'

/** `npm run prove -- nodes` does the same at length. */
it('three processes on one database keep limits, revocations and deliveries, though the one that fans out is killed', async () => {
  await using database = await testDatabase()
  const within = { revoked: 30_000, takenOver: 30_000 }
  const briefly = { rounds: 2, limits: [6, 120], windows: 0, within }
  const harness = { maxFailures: 1, mayHang: false, random: Math.random }
  const result = await nodesTogether({ ...briefly, ...harness, databaseUrl: database.url })
  assert.ok(hasPassed(result), formatTable([['nodes', result]]))
  assert.ok(result.counts!.expected > 0)
})
