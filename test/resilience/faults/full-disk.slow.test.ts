import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillDisk } from '../../../resilience/faults/full-disk.ts'
import { hasPassed } from '../../../resilience/scenario.ts'
import { smallDisk } from '../../support/databases/small-disk.ts'

/** `npm run resilience -- full-disk` runs more rounds, and PostgreSQL as well. */
test('on a full disk writes get a 503, reads continue and nothing is lost', async (context) => {
  const disk = await smallDisk(24)
  if (typeof disk === 'string') return context.skip(disk)
  await using _ = disk
  const short = { rounds: 1, maxFullMs: 100, maxFailures: 0, mayHang: false, random: Math.random }
  const result = await fillDisk({ ...short, databaseUrl: `sqlite:${join(disk.path, 'feed.db')}`, disk })
  assert.ok(hasPassed({ setup: 'SQLite', ...result }), JSON.stringify(result))
  assert.equal(result.checks[0]!.observed, '503 store_full, Retry-After 30')
})
