import { test } from 'node:test'
import { killPostgres } from '../../../resilience/faults/postgres-kill.ts'
import { assertPassed } from '../assert-passed.ts'

const SHORT = { rounds: 2, maxRunMs: 500, maxDownMs: 1000, maxFailures: 0, mayHang: false, random: Math.random }

/** `npm run prove -- postgres-kill` does the same at length. */
test('with PostgreSQL killed and started again nothing is lost, reads go on and writes are a clear 503', async () => {
  assertPassed(await killPostgres(SHORT))
})
