import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fuzzService } from '../../resilience/fuzz/fuzz-service.ts'
import { onEmptyDatabase } from '../../resilience/harness/databases.ts'

const INCIDENTS = 2000
/** One that never comes is a failure: how fast others are depends on the machine. */
const MAX_RESPONSE_MS = 60_000

/**
 * The same requests in every run, so that a change is judged by what it changed: with a random seed
 * a defect of long ago fails whoever comes by. `npm run resilience -- fuzz` takes a new seed each
 * time, sends more, on both stores, and checks memory as well.
 */
const SEED = 20_261_117

const REQUESTS_BY_STORE = { sqlite: 1500, postgres: 300 } as const

for (const [store, requests] of Object.entries(REQUESTS_BY_STORE))
  it(`random requests, and hostile text in each string of each operation, get responses that conform to the OpenAPI document, on ${store}`, async () => {
    const report = await onEmptyDatabase(store as keyof typeof REQUESTS_BY_STORE, (databaseUrl) =>
      fuzzService({ databaseUrl, requests, seed: SEED, incidents: INCIDENTS, maxResponseMs: MAX_RESPONSE_MS }),
    )
    assert.equal(report.failures.count, 0, `with --seed ${SEED}:\n${report.failures}`)
    assert.deepEqual(report.loggedErrors, [])
    assert.deepEqual(report.closed, [])
    // Requests that are all refused for the same reason would test nothing.
    for (const status of [200, 201, 204, 400, 401, 403, 404, 409, 413, 422])
      assert.ok(report.statuses.has(status), `no ${status} among ${[...report.statuses.keys()]}`)
  })
