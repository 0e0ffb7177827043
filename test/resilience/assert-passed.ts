import assert from 'node:assert/strict'
import type { ScenarioResult } from '../../resilience/scenario.ts'

/** Nothing was lost, everything else that was promised was passed, and there was something to lose. */
export function assertPassed({ counts, checks }: ScenarioResult): void {
  assert.deepEqual(
    checks.filter(({ passed }) => !passed),
    [],
  )
  assert.ok(counts !== null)
  const { confirmed, expected, delivered, duplicated, ...faults } = counts
  assert.deepEqual(faults, { missingFromLog: 0, lost: 0, unexpected: 0, idChanged: 0, outOfOrder: 0 })
  assert.equal(delivered, expected)
  assert.ok(
    confirmed > 0 && expected > confirmed,
    `${confirmed} confirmed, ${expected} expected, ${duplicated} duplicated`,
  )
}
