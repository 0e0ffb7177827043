import { test } from 'node:test'
import { floodWithWrongKeys } from '../../resilience/faults/flood.ts'
import { assertSound } from './findings.ts'

/** `npm run prove -- flood` does the same at length. */
test('a flood of wrong keys is refused, and everybody else is served', async () => {
  assertSound(await floodWithWrongKeys('SQLite', 'sqlite::memory:', 500))
})
