import { test } from 'node:test'
import { killPostgres } from '../../resilience/faults/postgres-kill.ts'
import { assertSound } from './findings.ts'

const SHORT = { rounds: 2, longestRun: 500, longestAway: 1000, mostFailures: 0, mayHang: false, random: Math.random }

/** `npm run prove -- postgres-kill` does the same at length. */
test('with PostgreSQL killed and started again nothing is lost, reads go on and writes are a clear 503', async () => {
  assertSound(await killPostgres(SHORT))
})
