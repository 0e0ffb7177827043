import assert from 'node:assert/strict'
import { formatTable } from '../../resilience/results-table.ts'
import { hasPassed, type ScenarioResult } from '../../resilience/scenario.ts'

/** Asserts that a scenario passed, and that there was anything to deliver. */
export function assertPassed(result: ScenarioResult): void {
  assert.ok(hasPassed(result), `\n${formatTable([['scenario', result]])}`)
  const { confirmed, expected } = result.counts!
  assert.ok(confirmed > 0 && expected > confirmed, `${confirmed} confirmed, ${expected} expected`)
}
