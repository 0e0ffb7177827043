import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredForm } from '../../../src/filter/filter/declared-form.ts'

test('a filter in the declared form stays as it is', () => {
  const filter = {
    state: ['Kaduna'],
    type: 'kidnapping,banditry',
    min_severity: 'high',
    min_confidence: 0.8,
    near: [10.5, 7.4],
    radius_km: 5,
    route: { line: [], buffer_km: 5 },
  }
  assert.deepEqual(declaredForm(filter), filter)
})

test('numbers in text, lists of one and spaces get the declared form', () => {
  const filter = {
    state: [' Kaduna '],
    min_severity: [' high '],
    min_confidence: ' 0.80 ',
    near: ['10.5', 7.4],
    radius_km: ['5'],
    bbox: '7,10,8,11',
  }
  assert.deepEqual(declaredForm(filter), {
    state: ['Kaduna'],
    min_severity: 'high',
    min_confidence: 0.8,
    near: [10.5, 7.4],
    radius_km: 5,
    bbox: '7,10,8,11',
  })
})
