import { test } from 'node:test'
import { moveThereAndBack } from '../../../resilience/faults/moving/moving.ts'
import { testDatabase } from '../../support/databases/postgres.ts'
import { leftOut } from '../../support/tier.ts'
import { assertPassed } from '../assert-passed.ts'

/** `npm run resilience -- moving` moves a hundred thousand incidents, and kills the first copy. */
test('a store that is moved to PostgreSQL and back is the same, and sends what was pending', {
  skip: leftOut('moving'),
}, async () => {
  await using database = await testDatabase('empty')
  assertPassed(await moveThereAndBack({ postgresUrl: database.url, incidents: 500, watches: 50, reports: 20 }))
})
