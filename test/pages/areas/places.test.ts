import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { areaSlug, incidentAreaPath } from '../../../src/domain/places.ts'
import { statesGeoJson } from '../../../src/geo/outlines.ts'
import { places } from '../../../src/geo/places.ts'
import { allAreas, areaCode, areaPath } from '../../../src/pages/areas/places/area.ts'
import { areasShowing } from '../../../src/pages/areas/places/areas-showing.ts'
import { findArea } from '../../../src/pages/areas/places/find-area.ts'
import { findNeighbours } from '../../../src/pages/areas/places/neighbours.ts'

const areas = allAreas(places)
const neighbours = findNeighbours(places, statesGeoJson())

/** Finds the area of a path, as the routes split it. */
function findPath(path: string) {
  const [, , state = null, lga = null] = path.split('/')
  return findArea(places, state, lga)
}

describe('the addresses of areas', () => {
  it('are 812, all different, in plain letters, and each finds its area again', () => {
    assert.equal(areas.length, 1 + 37 + 774)
    assert.equal(new Set(areas.map(areaPath)).size, areas.length)
    for (const area of areas) {
      assert.match(areaPath(area), /^\/nigeria(\/[a-z]+(-[a-z0-9]+)*){0,2}$/)
      assert.deepEqual(findPath(areaPath(area)), { kind: 'found', area })
    }
  })

  it('are those that incidents link to', () => {
    assert.equal(areaSlug("Qua'an Pan"), 'quaan-pan')
    assert.equal(areaSlug('Ogba/Egbema/Ndoni'), 'ogba-egbema-ndoni')
    assert.equal(
      incidentAreaPath({ state: 'Akwa Ibom', lga: 'Urue-Offong/Oruko' }),
      '/nigeria/akwa-ibom/urue-offong-oruko',
    )
    assert.equal(incidentAreaPath({ state: 'Kaduna', lga: null }), '/nigeria/kaduna')
  })

  it('are also found by other spellings', () => {
    for (const [given, path] of [
      ['/nigeria/Kaduna', '/nigeria/kaduna'],
      ['/nigeria/NG-KD', '/nigeria/kaduna'],
      ['/nigeria/kaduna-state', '/nigeria/kaduna'],
      ['/nigeria/abuja', '/nigeria/federal-capital-territory'],
      ['/nigeria/nassarawa', '/nigeria/nasarawa'],
      ['/nigeria/kaduna/Jema’a', '/nigeria/kaduna/jemaa'],
      ['/nigeria/KADUNA/chikun', '/nigeria/kaduna/chikun'],
      ['/nigeria/ng-kd/ng-kd-birnin-gwari', '/nigeria/kaduna/birnin-gwari'],
      ['/nigeria/chikun', '/nigeria/kaduna/chikun'],
    ] as const) {
      const found = findPath(given)
      assert.equal(found.kind, 'moved', given)
      assert.equal(found.kind === 'moved' && areaPath(found.area), path, given)
    }
  })

  it('that are unknown name what may be meant', () => {
    for (const [given, within, suggested] of [
      ['/nigeria/kadunna', '/nigeria', '/nigeria/kaduna'],
      ['/nigeria/kaduna/chikum', '/nigeria/kaduna', '/nigeria/kaduna/chikun'],
      ['/nigeria/kano/chikun', '/nigeria/kano', '/nigeria/kaduna/chikun'],
      ['/nigeria/surulere', '/nigeria', '/nigeria/oyo/surulere'],
      ['/nigeria/birnin-gwary', '/nigeria', '/nigeria/kaduna/birnin-gwari'],
    ] as const) {
      const found = findPath(given)
      assert.equal(found.kind, 'unknown', given)
      if (found.kind !== 'unknown') continue
      assert.equal(areaPath(found.within), within)
      assert.ok(found.suggestions.map(areaPath).includes(suggested), `${given}: ${found.suggestions.map(areaPath)}`)
    }
    assert.deepEqual(findPath(`/nigeria/${'x'.repeat(190)}`), { kind: 'unknown', within: areas[0], suggestions: [] })
  })
})

describe('neighbours', () => {
  it('of a state have a common border with it, and it with them', () => {
    const names = (code: string) => neighbours.ofState(code).map(({ name }) => name)
    assert.deepEqual(names('NG-LA'), ['Ogun'])
    assert.deepEqual(names('NG-KD'), [
      'Bauchi',
      'Federal Capital Territory',
      'Kano',
      'Katsina',
      'Nasarawa',
      'Niger',
      'Plateau',
      'Zamfara',
    ])
    for (const state of places.states)
      for (const other of neighbours.ofState(state.code)) assert.ok(neighbours.ofState(other.code).includes(state))
  })

  it('of an LGA are the nearest by their centres, the nearest first', () => {
    for (const lga of places.lgas) {
      const nearby = neighbours.ofLga(lga.code)
      const distances = nearby.map(({ kilometres }) => kilometres)
      assert.ok(!nearby.some((one) => one.lga === lga))
      assert.deepEqual(
        distances,
        distances.toSorted((one, other) => one - other),
      )
    }
    assert.ok(neighbours.ofLga('NG-KD-CHIKUN').some(({ lga }) => lga.name === 'Kaduna South'))
  })
})

describe('the pages that an incident is on', () => {
  const showing = areasShowing(places, neighbours)

  it('are those of the country, its state and LGA, and those that count these as neighbours', () => {
    const codes = [...showing({ state: 'NG-KD', lga: 'NG-KD-CHIKUN' })]
    for (const code of ['NG', 'NG-KD', 'NG-KD-CHIKUN', 'NG-KN']) assert.ok(codes.includes(code), code)
    for (const code of ['NG-LA', 'NG-KN-DALA', 'NG-BO']) assert.ok(!codes.includes(code), code)
    assert.ok(codes.length < 30, `${codes.length}`)
  })

  it('leave out the LGAs if it is known only to the state', () => {
    const codes = [...showing({ state: 'NG-KD', lga: null })]
    assert.ok(codes.includes('NG-KD') && codes.every((code) => code.length <= 5), codes.join())
    assert.equal(new Set(areas.map(areaCode)).size, areas.length)
  })
})
