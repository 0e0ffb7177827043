import { test } from 'node:test'
import { floodWithWrongKeys } from '../../../resilience/faults/wrong-key-flood.ts'
import { assertPassed } from '../assert-passed.ts'

/** `npm run prove -- flood` does the same at length. */
test('a flood of wrong keys is refused, and everybody else is served', async () => {
  assertPassed(await floodWithWrongKeys('SQLite', 'sqlite::memory:', 500))
})
