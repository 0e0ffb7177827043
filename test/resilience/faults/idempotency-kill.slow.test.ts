import { describe, it } from 'node:test'
import { killReporters } from '../../../resilience/faults/idempotency-kill.ts'
import { onEmptyDatabase } from '../../../resilience/harness/databases.ts'
import { leftOut } from '../../support/tier.ts'
import { assertPassed } from '../assert-passed.ts'

/** `npm run resilience -- idempotency-kill` runs more rounds. */
describe('reports posted with an Idempotency-Key while the service is killed', {
  skip: leftOut('idempotency-kill'),
}, () => {
  for (const [store, processes] of [
    ['sqlite', 1],
    ['postgres', 2],
  ] as const) {
    it(`are stored once each, with ${processes} × ${store}`, async () => {
      const rounds = 3
      assertPassed(
        await onEmptyDatabase(store, (databaseUrl) =>
          killReporters({ store, databaseUrl, processes, rounds, random: Math.random }),
        ),
      )
    })
  }
})
