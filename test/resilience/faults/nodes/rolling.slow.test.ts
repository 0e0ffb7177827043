import { test } from 'node:test'
import { installedNginx } from '../../../../resilience/faults/rolling/balancer.ts'
import { addManyWatches } from '../../../../resilience/faults/rolling/many-watches.ts'
import { restartInTurn } from '../../../../resilience/faults/rolling/rolling.ts'
import { testDatabase } from '../../../support/databases/postgres.ts'
import { leftOut } from '../../../support/tier.ts'
import { assertPassed } from '../../assert-passed.ts'

/** `npm run resilience -- rolling` has more data and more restarts. */
test('no read fails and no delivery is lost while three nodes are restarted in turn', {
  skip: leftOut('rolling'),
}, async (context) => {
  const nginx = installedNginx()
  if (nginx === null) return context.skip('nginx is not installed (apt-get install nginx)')
  await using database = await testDatabase()
  await addManyWatches(database.url, 50)
  const size = { incidents: 0, watches: 50, rounds: 1, fullLoadMs: 0 }
  assertPassed(await restartInTurn({ ...size, nginx, databaseUrl: database.url }))
})
