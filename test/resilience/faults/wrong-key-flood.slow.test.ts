import { test } from 'node:test'
import { floodWithWrongKeys } from '../../../resilience/faults/wrong-key-flood.ts'
import { assertPassed } from '../assert-passed.ts'

/** `npm run resilience -- flood` sends more requests. */
test('a flood of wrong keys is refused, and valid keys are served', async () => {
  assertPassed(await floodWithWrongKeys('SQLite', 'sqlite::memory:', 500))
})
