import assert from 'node:assert/strict'
import { formatTable } from '../../resilience/results-table.ts'
import { hasPassed, type ScenarioResult } from '../../resilience/scenario.ts'

/**
 * Asserts that a scenario passed, and that it looked at anything: deliveries, or checks of its own.
 */
export function assertPassed(result: ScenarioResult): void {
  assert.ok(hasPassed(result), `\n${formatTable([['scenario', result]])}`)
  if (result.counts === null) {
    assert.ok(result.checks.length > 0, 'the scenario checked nothing')
    return
  }
  const { confirmed, expected } = result.counts
  assert.ok(confirmed > 0 && expected > confirmed, `${confirmed} confirmed, ${expected} expected`)
}
