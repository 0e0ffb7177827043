import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nodesTogether } from '../../resilience/faults/nodes.ts'
import { isSound } from '../../resilience/proof.ts'
import { tableOf } from '../../resilience/table.ts'
import { testDatabase } from '../support/postgres.ts'

/** `npm run prove -- nodes` does the same at length. */
it('three processes on one database keep limits, revocations and deliveries, though the one that fans out is killed', async () => {
  await using database = await testDatabase()
  const within = { revoked: 30_000, takenOver: 30_000 }
  const briefly = { rounds: 2, limits: [6, 120], windows: 0, within }
  const newsroom = { mostFailures: 1, mayHang: false, random: Math.random }
  const finding = await nodesTogether({ ...briefly, ...newsroom, databaseUrl: database.url })
  assert.ok(isSound(finding), tableOf([['nodes', finding]]))
  assert.ok(finding.tally!.owed > 0)
})
