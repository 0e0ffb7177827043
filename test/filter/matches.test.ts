import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalObject } from '../../src/filter/canonical.ts'
import { EVERYTHING, indexedFieldsOf } from '../../src/filter/filter.ts'
import { conditionsOf, matches } from '../../src/filter/matches.ts'
import { filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const NOW = Date.UTC(2026, 0, 1)

test('a filter matches exactly if all of its conditions hold', () => {
  const tally = { matched: 0, refused: 0 }
  fc.assert(
    fc.property(filter, incidentParts, (wanted, parts) => {
      const fields = indexedFieldsOf(incidentFrom(parts, 1))
      const conditions = conditionsOf(wanted, fields, NOW)
      const isMatch = matches(wanted, fields, NOW)
      tally[isMatch ? 'matched' : 'refused']++
      assert.equal(
        conditions.every(({ holds }) => holds),
        isMatch,
      )
      // Each restriction is named; the radius belongs to `near`, and words are not among the
      // indexed fields.
      const names = Object.keys(canonicalObject(wanted)).filter((name) => name !== 'radius_km' && name !== 'q')
      assert.deepEqual(conditions.map(({ condition }) => condition).sort(), names.sort())
    }),
    { numRuns: 2_000 },
  )
  assert.ok(tally.matched > 100 && tally.refused > 100, JSON.stringify(tally))
})

test('a condition tells what was wanted and what is', () => {
  const incident = anIncident(1)
  const fields = indexedFieldsOf(incident)
  const wanted = { ...EVERYTHING, states: ['NG-ZA'], minConfidence: 0.1 }
  assert.deepEqual(conditionsOf(wanted, { ...fields, state: 'NG-KD', confidence: 0.5 }, 0), [
    { condition: 'state', wanted: ['NG-ZA'], actual: 'NG-KD', holds: false },
    { condition: 'min_confidence', wanted: 0.1, actual: 0.5, holds: true },
  ])
  assert.deepEqual(conditionsOf({ ...EVERYTHING, incidents: ['inc_1'] }, fields, 0, ['inc_2', 'inc_1']), [
    { condition: 'incident', wanted: ['inc_1'], actual: ['inc_2', 'inc_1'], holds: true },
  ])
  assert.deepEqual(conditionsOf(EVERYTHING, fields, 0), [])
})
