import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionLabel, incidentIdIn, valueText } from '../../../web/console/explain/explanation.ts'

test('an id is found in the address of an incident, and other text stays for the service to refuse', () => {
  const id = 'inc_01jd8z0c5xq3v7m2k9h4t6w8ra'
  for (const text of [id, ` ${id}\n`, `https://feed.example/incidents/${id}?lang=ha#map`]) {
    assert.equal(incidentIdIn(text), id)
  }
  assert.equal(incidentIdIn(' Kaduna '), 'Kaduna')
  assert.equal(incidentIdIn('  '), '')
})

test('conditions and their values are put into words', () => {
  assert.equal(conditionLabel('lga'), 'LGA')
  assert.equal(conditionLabel('occurred_from'), 'occurred_from')
  assert.equal(valueText('type', ['kidnapping', 'protest']), 'Kidnapping or Protest')
  assert.equal(valueText('state', ['Kaduna']), 'Kaduna')
  assert.equal(valueText('lga', null), 'nothing')
  assert.equal(valueText('min_confidence', 0.5), '0.5')
  assert.equal(valueText('bbox', [3, 6, 4, 7]), 'latitude 6 to 7, longitude 3 to 4')
  assert.equal(valueText('near', { lat: 10.5, lng: 7.4, radius_km: 25 }), 'within 25 km of 10.5, 7.4')
  assert.equal(valueText('polygon', { lat: 10.5, lng: 7.4 }), '10.5, 7.4')
  assert.equal(valueText('later', { any: 1 }), '{"any":1}')
})
