import assert from 'node:assert/strict'
import type { ScenarioResult } from '../../resilience/scenario.ts'

/**
 * Asserts that all checks passed, that every expected event was delivered, and that there were any.
 */
export function assertPassed({ counts, checks }: ScenarioResult): void {
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
  assert.ok(counts !== null)
  const { confirmed, expected, delivered, duplicated, ...failures } = counts
  assert.deepEqual(failures, { missingFromLog: 0, lost: 0, unexpected: 0, idChanged: 0, outOfOrder: 0 })
  assert.equal(delivered, expected)
  assert.ok(
    confirmed > 0 && expected > confirmed,
    `${confirmed} confirmed, ${expected} expected, ${duplicated} duplicated`,
  )
}
