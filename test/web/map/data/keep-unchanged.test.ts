import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepUnchanged } from '../../../../web/map/data/keep-unchanged.ts'
import { anIncident } from '../../../support/incident.ts'

const listOf = (...incidents: ReturnType<typeof anIncident>[]) => ({ key: '', seq: 1, nextCursor: null, incidents })

test('incidents that did not change stay the same objects; corrected and new ones are taken', () => {
  const [same, corrected] = [anIncident(1), anIncident(2)]
  const arrived = anIncident(3)
  const correction = { ...corrected, version: corrected.version + 1 }
  const { incidents, seq } = keepUnchanged(listOf(same, corrected), {
    ...listOf(arrived, structuredClone(same), correction),
    seq: 2,
  })
  assert.equal(seq, 2)
  assert.equal(incidents.length, 3)
  assert.equal(incidents[0], arrived)
  assert.equal(incidents[1], same)
  assert.equal(incidents[2], correction)
})

test('the first list is taken as it is', () => {
  const list = listOf(anIncident(1))
  assert.deepEqual(keepUnchanged(null, list), list)
})
