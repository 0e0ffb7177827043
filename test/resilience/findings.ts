import assert from 'node:assert/strict'
import type { Finding } from '../../resilience/proof.ts'

/** Nothing was lost, everything else that was promised was kept, and there was something to lose. */
export function assertSound({ tally, promises }: Finding): void {
  assert.deepEqual(
    promises.filter(({ kept }) => !kept),
    [],
  )
  assert.ok(tally !== null)
  const { confirmed, owed, delivered, repeated, ...faults } = tally
  assert.deepEqual(faults, { forgotten: 0, lost: 0, uncalledFor: 0, renamed: 0, outOfSequence: 0 })
  assert.equal(delivered, owed)
  assert.ok(confirmed > 0 && owed > confirmed, `${confirmed} confirmed, ${owed} owed, ${repeated} repeated`)
}
