import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { fuzz } from '../../../resilience/fuzz/fuzz-service.ts'
import { temporaryFolder } from '../../support/folder.ts'

const REQUESTS = 2500

/** `npm run prove -- fuzz` does the same at length, on both stores, and looks at memory too. */
it(`${REQUESTS} random requests drawn from the document are answered as it says`, async () => {
  await using folder = await temporaryFolder()
  const seed = Math.floor(Math.random() * 2 ** 31)
  const fuzzed = await fuzz({ databaseUrl: `sqlite:${join(folder.path, 'feed.db')}`, requests: REQUESTS, seed })
  assert.equal(fuzzed.faults.count, 0, `with --seed ${seed}:\n${fuzzed.faults}`)
  assert.deepEqual(fuzzed.logged, [])
  // A fuzz that only ever met one refusal would prove nothing.
  for (const status of [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 415, 422])
    assert.ok(fuzzed.statuses.has(status), `no ${status} among ${[...fuzzed.statuses.keys()]}`)
})
