import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellBox, cellOf } from '../../src/filter/cell-grid.ts'
import { canonicalQuery } from '../../src/filter/filter/canonical.ts'
import { EVERYTHING, type Filter, type LiveFilter, NOT_LIVE } from '../../src/filter/filter/filter.ts'
import { matchesArea } from '../../src/filter/filter/matches.ts'
import { regionOf } from '../../src/filter/filter/region.ts'
import { indexedFieldsOf } from '../../src/filter/indexed-fields.ts'
import { coversCell } from '../../src/matching/covers-cell.ts'
import { Matcher } from '../../src/matching/matcher.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const CENTRE = { lat: 10.4, lng: 7.6 }
const near = (reach: number) =>
  fc.tuple(between(CENTRE.lat - reach, CENTRE.lat + reach), between(CENTRE.lng - reach, CENTRE.lng + reach))

const box = fc.tuple(near(1), between(0.1, 1.5), between(0.1, 1.5)).map(([[lat, lng], high, wide]) => ({
  box: { west: lng - wide, south: lat - high, east: lng + wide, north: lat + high },
}))
const circle = fc.tuple(near(1), between(5, 150)).map(([[lat, lng], radiusKm]) => ({ circle: { lat, lng, radiusKm } }))
const square = (lat: number, lng: number, half: number) =>
  Float64Array.of(
    lng - half,
    lat - half,
    lng + half,
    lat - half,
    lng + half,
    lat + half,
    lng - half,
    lat + half,
    lng - half,
    lat - half,
  )
const diamond = (lat: number, lng: number, half: number) =>
  Float64Array.of(lng - half, lat, lng, lat - half, lng + half, lat, lng, lat + half, lng - half, lat)
const region = fc
  .tuple(near(0.5), between(0.2, 2), near(1), between(0.05, 0.5), fc.boolean())
  .map(([[lat, lng], size, [holeLat, holeLng], holeSize, isDiamond]) => ({
    region: regionOf([[(isDiamond ? diamond : square)(lat, lng, size), square(holeLat, holeLng, holeSize)]]),
  }))
const areas = fc
  .oneof(
    box,
    circle,
    region,
    fc.tuple(box, circle).map(([one, other]) => ({ ...one, ...other })),
  )
  .map((shapes): Filter => ({ ...EVERYTHING, ...shapes }))
const share = fc.oneof(fc.constant(0), fc.constant(1), between(0, 1))

test('a cell that an area covers has no point outside it', () => {
  const tally = { covered: 0, asked: 0 }
  fc.assert(
    fc.property(
      areas,
      near(0.6),
      fc.array(fc.tuple(share, share), { minLength: 20, maxLength: 20 }),
      (filter, at, points) => {
        const cell = cellOf(...at)
        const covers = coversCell(filter, cell)
        tally.asked++
        if (!covers) return
        tally.covered++
        const { south, north, west, east } = cellBox(cell)!
        for (const [up, across] of points) {
          const [lat, lng] = [south + up * (north - south), west + across * (east - west)]
          assert.ok(matchesArea(filter, lat, lng), `${lat}, ${lng}`)
        }
      },
    ),
    { numRuns: 3000 },
  )
  // Else nothing was tested, or nothing is decided.
  assert.ok(tally.covered > tally.asked / 30 && tally.covered < tally.asked * 0.9, JSON.stringify(tally))
})

test('a cell at the edge of the grid is never covered: it holds all points beyond', () => {
  const world: Filter = { ...EVERYTHING, box: { west: -20, south: -20, east: 40, north: 40 } }
  assert.equal(coversCell(world, cellOf(-10, -10)), false)
  assert.equal(coversCell(world, cellOf(10.4, 7.6)), true)
})

test('an area and a state must both hold, also where the area covers the cell', () => {
  const matcher = new Matcher<string>()
  const incident = indexedFieldsOf(anIncident())
  const circle = { lat: incident.lat, lng: incident.lng, radiusKm: 60 }
  for (const [name, state] of [
    ['here', incident.state],
    ['elsewhere', 'NG-BO'],
  ] as const) {
    const filter: LiveFilter = { ...EVERYTHING, ...NOT_LIVE, circle, states: Array(30).fill(state) }
    matcher.set(name, canonicalQuery(filter), () => filter)
  }
  assert.deepEqual(
    matcher.matchesFor(incident).flatMap(({ subscribers }) => [...subscribers]),
    ['here'],
  )
})
