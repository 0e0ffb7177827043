import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { placeRow } from '../../../src/desk/importing/prepare-row.ts'
import { type GivenPlace, type Placement, placeReport } from '../../../src/desk/reports/build-incident.ts'
import { openGeography } from '../../../src/geo/geography.ts'

const geography = openGeography(null)

function given(changes: Partial<GivenPlace>): GivenPlace {
  return { type: 'kidnapping', lat: null, lng: null, state: null, lga: null, place: null, precision: null, ...changes }
}

function placement(changes: Partial<GivenPlace>): Placement {
  const placementResult = placeReport(given(changes), geography)
  assert('placement' in placementResult, JSON.stringify(placementResult))
  return placementResult.placement
}

describe('placing a report', () => {
  const cases: [
    name: string,
    changes: Partial<GivenPlace>,
    expected: [string, string | null, string, string | null],
  ][] = [
    ['coordinates alone', { lat: 10.4512, lng: 7.3391 }, ['Kaduna', 'Chikun', 'settlement', 'estimated']],
    [
      'coordinates known to be exact',
      { lat: 10.4512, lng: 7.3391, precision: 'exact' },
      ['Kaduna', 'Chikun', 'exact', 'estimated'],
    ],
    [
      'coordinates and the LGA they lie in',
      { lat: 10.4512, lng: 7.3391, lga: 'chikun' },
      ['Kaduna', 'Chikun', 'settlement', 'reported'],
    ],
    [
      'coordinates that stand for a state',
      { lat: 10.4512, lng: 7.3391, state: 'KD', precision: 'state' },
      ['Kaduna', null, 'state', null],
    ],
    ['a state', { state: 'Kaduna' }, ['Kaduna', null, 'state', null]],
    ['an LGA', { lga: 'Chikun' }, ['Kaduna', 'Chikun', 'lga', 'reported']],
    ['an ambiguous LGA, with its state', { lga: 'Surulere', state: 'Oyo' }, ['Oyo', 'Surulere', 'lga', 'reported']],
    ['a town', { place: 'Gusau' }, ['Zamfara', 'Gusau', 'settlement', 'estimated']],
    [
      'a description with LGA and state',
      { place: 'Dansadau, Maru LGA, Zamfara State' },
      ['Zamfara', 'Maru', 'settlement', 'estimated'],
    ],
    ['an unknown village in a known LGA', { place: 'Gonin Gora, Chikun' }, ['Kaduna', 'Chikun', 'lga', 'reported']],
    ['an unknown village in a known state', { place: 'Xyzzy', state: 'Zamfara' }, ['Zamfara', null, 'state', null]],
    [
      'a name that is claimed to be exact',
      { place: 'Gusau', precision: 'exact' },
      ['Zamfara', 'Gusau', 'settlement', 'estimated'],
    ],
    [
      'piracy at sea, off a named state',
      { type: 'piracy', lat: 3, lng: 5, state: 'Bayelsa' },
      ['Bayelsa', null, 'settlement', null],
    ],
  ]
  for (const [name, changes, [state, lga, precision, basis]] of cases) {
    it(`accepts ${name}`, () => {
      const place = placement(changes)
      assert.deepEqual(
        [place.state, place.lga, place.location.precision, place.location.lga_basis],
        [state, lga, precision, basis],
      )
      assert.equal(place.location.place, changes.place ?? null)
      assert.equal(place.location.lga_code === null, place.lga === null)
    })
  }

  it('accepts the named state of a point slightly beyond its border', () => {
    // Walks north from Kaduna until the estimate says Kano: there, a report may say either.
    let lat = 11
    const state = () => {
      const located = geography.locate(lat, 8.5)
      return located.kind === 'located' ? located.state.name : null
    }
    while (state() === 'Kaduna') lat += 0.01
    const beyond = state()!
    assert.notEqual(beyond, 'Kaduna')
    assert.equal(placement({ lat, lng: 8.5, state: 'Kaduna' }).state, 'Kaduna')
    assert.equal(placement({ lat, lng: 8.5, state: beyond }).state, beyond)
    const far = placeReport(given({ lat: lat + 0.3, lng: 8.5, state: 'Kaduna' }), geography)
    assert('errors' in far)
  })

  it('has a radius for a vague place', () => {
    assert(placement({ state: 'Borno' }).location.radius_km! > 100)
    assert(placement({ lga: 'Lagos Island', state: 'Lagos' }).location.radius_km! < 10)
    assert.equal(placement({ lat: 10.4512, lng: 7.3391 }).location.radius_km, 3)
  })
})

describe('placing a row of a data set', () => {
  const row = (changes: Partial<GivenPlace>, radiusKm: number | null = null) => {
    const placementResult = placeRow(given(changes), radiusKm, geography)
    assert('placement' in placementResult, JSON.stringify(placementResult))
    return placementResult.placement
  }

  it('keeps names that disagree with the borders', () => {
    const place = row({ lat: 10.4512, lng: 7.3391, state: 'Niger', lga: 'Shiroro' })
    assert.deepEqual([place.state, place.lga, place.location.lga_basis], ['Niger', 'Shiroro', 'reported'])
    assert.equal(row({ lat: 10.4512, lng: 7.3391, state: 'Niger' }).lga, null)
  })

  it('uses the coordinates if a name is historical', () => {
    const place = row({ lat: 9.2, lng: 12.48, state: 'Gongola', lga: 'No such' })
    assert.deepEqual([place.state, place.location.lga_basis], ['Adamawa', 'estimated'])
  })

  it('assigns an incident at sea to the nearest coast', () => {
    assert.deepEqual([row({ lat: 3.5, lng: 6.1 }).state, row({ lat: 3.5, lng: 6.1 }).lga], ['Bayelsa', null])
  })

  it('keeps the radius of the source', () => {
    assert.equal(row({ lat: 10.4512, lng: 7.3391 }, 25).location.radius_km, 25)
  })

  it('refuses coordinates on another continent', () => {
    assert('errors' in placeRow(given({ lat: 48.85, lng: 2.35 }), null, geography))
  })
})
