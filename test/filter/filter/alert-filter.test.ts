import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseAlertFilter } from '../../../src/filter/filter/alert-filter.ts'
import { places } from '../../../src/geo/places.ts'
import { filterInAlertAddress } from '../../../src/pages/alerts/alert-address.ts'

const parsed = (given: unknown) => parseAlertFilter(given, '/filter', places)
const ofAddress = (query: string) => parsed(filterInAlertAddress(new URLSearchParams(query)))

for (const [what, given] of [
  ['no object', 'kaduna'],
  ['no area', { min_severity: 'high' }],
  ['all states', { state: places.states.map(({ code }) => code) }],
  ['a saved area', { area: 'are_01jd8z0c5xk3m9q2v7w4t6r8y0' }],
  ['words', { state: ['Kaduna'], q: 'gunmen' }],
  ['a time', { state: ['Kaduna'], since: '24h' }],
  ['an unknown state', { state: ['Atlantis'] }],
  ['a radius without a point', { state: ['Kaduna'], radius_km: 10 }],
  ['two incidents', { incident: [`inc_${'0'.repeat(26)}`, `inc_${'1'.repeat(26)}`] }],
  ['an incident and an area', { incident: [`inc_${'0'.repeat(26)}`], state: ['Kaduna'] }],
  ['what is no id', { incident: ['kaduna'] }],
  ['a shape of very many points', { route: { line: manyPoints(400), buffer_km: 5 } }],
] as const)
  it(`an alert refuses ${what}`, () => assert.ok('errors' in parsed(given)))

function manyPoints(count: number): number[][] {
  return Array.from({ length: count }, (_, index) => [7 + index / 1000.123, 10 + index / 1000.123])
}

it('an alert takes a state, an LGA, a circle, a box, a polygon and a road, as the map writes them', () => {
  for (const query of [
    'state=NG-KD',
    'state=NG-KD&lga=Chikun&min_severity=high',
    'near=10.52,7.44&radius_km=25',
    'box=7,10,8,11',
    'polygon=7,10;8,10;8,11;7,10',
    'road=7.4,10.5;7.5,9.1&buffer_km=5&severity=high,critical',
    `incident=inc_${'0'.repeat(26)}`,
  ]) {
    const filter = ofAddress(query)
    assert.ok('value' in filter, `${query}: ${JSON.stringify(filter)}`)
  }
  const road = ofAddress('road=7.4,10.5;7.5,9.1&buffer_km=5&severity=high,critical')
  assert.deepEqual('value' in road && road.value.severities, ['high', 'critical'])
})

for (const query of ['near=10.52&radius_km=25', 'near=10.52,7.44', 'road=7.4;x&buffer_km=5', 'road=7.4,10.5;7.5,9.1'])
  it(`an alert refuses the address ${query}`, () => assert.ok('errors' in ofAddress(query)))
