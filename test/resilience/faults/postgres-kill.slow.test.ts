import { test } from 'node:test'
import { killPostgres } from '../../../resilience/faults/postgres-kill.ts'
import { assertPassed } from '../assert-passed.ts'

const SHORT = { rounds: 2, maxRunMs: 500, maxDownMs: 1000, maxFailures: 0, mayHang: false, random: Math.random }

/** `npm run resilience -- postgres-kill` runs more rounds. */
test('while PostgreSQL is killed and restarted nothing is lost, reads continue and writes get a 503', async () => {
  assertPassed(await killPostgres(SHORT))
})
