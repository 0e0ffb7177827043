import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { lgaRecords } from '../../src/geo/data.ts'
import { boundaryLocate, estimatedLocate, readLgaGrid, TOLERANCE_KM } from '../../src/geo/geography.ts'
import { places } from '../../src/geo/places.ts'
import { distanceKm } from '../../src/lib/geometry.ts'
import fc from '../support/fast-check.ts'
import { tries } from '../support/tier.ts'
import { absent, readTruth, shareRight, type Truth } from './truth.ts'

const locate = estimatedLocate()

/** From general knowledge; a town in two LGAs may be found in either. */
const TOWNS: readonly (readonly [town: string, lat: number, lng: number, state: string, ...lgas: string[]])[] = [
  ['Maiduguri', 11.8464, 13.1603, 'Borno', 'Maiduguri'],
  ['Kaduna', 10.5264, 7.4388, 'Kaduna', 'Kaduna North', 'Kaduna South'],
  ['Lekki', 6.4463, 3.4772, 'Lagos', 'Eti-Osa'],
  ['Jos', 9.9285, 8.8921, 'Plateau', 'Jos North'],
  ['Owerri', 5.4836, 7.0333, 'Imo', 'Owerri Municipal'],
  ['Port Harcourt', 4.7774, 7.0134, 'Rivers', 'Port Harcourt'],
  ['Gwoza', 11.0861, 13.6914, 'Borno', 'Gwoza'],
  ['Zaria', 11.0855, 7.7199, 'Kaduna', 'Zaria', 'Sabon Gari'],
  ['Birnin Gwari', 11.0143, 6.7803, 'Kaduna', 'Birnin Gwari'],
  ['Makurdi', 7.7338, 8.5214, 'Benue', 'Makurdi'],
  ['Abuja', 9.0579, 7.4951, 'Federal Capital Territory', 'Abuja Municipal'],
  ['Chibok', 10.8696, 12.8469, 'Borno', 'Chibok'],
]

describe('without a boundary file', () => {
  for (const [town, lat, lng, state, ...lgas] of TOWNS) {
    test(`${town} lies in ${state}, in ${lgas.join(' or ')}`, () => {
      const found = locate(lat, lng)
      assert.ok(found.kind === 'located')
      assert.equal(found.state.name, state)
      assert.ok(lgas.includes(found.lga.name), found.lga.name)
      assert.equal(found.basis, 'estimated')
    })
  }

  test('the centre of every LGA lies in that LGA', () => {
    for (const lga of places.lgas) {
      const found = locate(lga.lat, lga.lng)
      assert.equal(found.kind === 'located' && found.lga.code, lga.code)
    }
  })

  test('an LGA whose exact box does not have the point is found only if no LGA around has it', () => {
    const grid = readLgaGrid()
    const around = (lat: number, lng: number): string[] => {
      const found = new Set<number>()
      for (let y = -10; y <= 10; y++)
        for (let x = -10; x <= 10; x++) {
          const row = Math.floor((lat - grid.south) / grid.cell) + y
          const column = Math.floor((lng - grid.west) / grid.cell) + x
          const centre = [grid.south + (row + 0.5) * grid.cell, grid.west + (column + 0.5) * grid.cell] as const
          const isCell = row >= 0 && column >= 0 && row < grid.rows && column < grid.columns
          if (isCell && distanceKm(lat, lng, ...centre) < TOLERANCE_KM)
            found.add(grid.numbers[row * grid.columns + column]!)
        }
      return [...found].filter((number) => number >= 0).map((number) => lgaRecords[number]!.code)
    }
    const boxes = new Map(lgaRecords.map(({ code, box }) => [code, box]))
    const has = (code: string, lat: number, lng: number) => {
      const [west, south, east, north] = boxes.get(code) ?? [-180, -90, 180, 90]
      return west <= lng && lng <= east && south <= lat && lat <= north
    }
    let beyond = 0
    for (const { box } of lgaRecords) {
      if (box === null) continue
      const [west, south, east, north] = box
      // Just outside each side, where the cells of the grid are cut by the box.
      for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const [lat, lng] = [south + (north - south) * part, west + (east - west) * part]
        for (const [y, x] of [
          [south - 5e-4, lng],
          [north + 5e-4, lng],
          [lat, west - 5e-4],
          [lat, east + 5e-4],
        ] as const) {
          const found = locate(y, x)
          if (found.kind === 'outside' || has(found.lga.code, y, x)) continue
          beyond++
          assert.deepEqual(
            around(y, x).filter((code) => has(code, y, x)),
            [],
            `${y}, ${x}: ${found.lga.code}`,
          )
        }
      }
    }
    assert.ok(beyond > 0)
  })

  test('points outside Nigeria are outside', () => {
    const elsewhere = {
      Cotonou: [6.37, 2.39],
      Niamey: [13.51, 2.11],
      Douala: [4.05, 9.7],
      'N’Djamena': [12.11, 15.04],
      sea: [4, 5],
      null: [0, 0],
    }
    for (const [name, [lat, lng]] of Object.entries(elsewhere)) {
      const found = locate(lat!, lng!)
      assert.ok(found.kind === 'outside', name)
      assert.match(found.message, /lies outside Nigeria/)
    }
  })

  test('a point up to 3 km off the coast still has its LGA, one 10 km off has none', () => {
    assert.equal(locate(6.41, 3.45).kind, 'located')
    assert.equal(locate(6.32, 3.45).kind, 'outside')
  })

  test('any two numbers get an answer, and the state is always the LGA’s', () => {
    const number = fc.oneof(
      fc.double(),
      fc.double({ min: 2, max: 15 }),
      fc.constantFrom(Number.NaN, Infinity, -Infinity, 1e300, -0),
    )
    fc.assert(
      fc.property(number, number, (lat, lng) => {
        const found = locate(lat, lng)
        if (found.kind === 'located') assert.equal(found.lga.state, found.state)
        else assert.match(found.message, /outside/)
      }),
      { numRuns: tries(2000) },
    )
  })
})

describe('held against the boundary file', { skip: absent }, () => {
  let truth: Truth
  before(() => {
    truth = readTruth(10_000)
  })

  test('of the real events, 98 % get their state and 85 % their LGA', () => {
    const { state, lga } = shareRight(truth.events, locate)
    assert.ok(state >= 98 && lga >= 85, `${state} % and ${lga} %`)
  })

  test('of random points, 95.5 % get their state and 80 % their LGA', () => {
    const { state, lga } = shareRight(truth.random, locate)
    assert.ok(state >= 95.5 && lga >= 80, `${state} % and ${lga} %`)
  })

  test('with the file, 99.5 % of both get state and LGA, with that basis', () => {
    const exact = boundaryLocate(truth.boundaries, locate)
    for (const points of [truth.events, truth.random]) {
      const { state, lga } = shareRight(points, exact)
      assert.ok(state >= 99.5 && lga >= 99.5, `${state} % and ${lga} %`)
    }
    const found = exact(11.8464, 13.1603)
    assert.equal(found.kind === 'located' && found.basis, 'boundary')
  })
})
