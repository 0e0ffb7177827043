import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canonicalQuery,
  EVERYTHING,
  type Filter,
  type IndexedFields,
  indexedFieldsOf,
  type LiveFilter,
  NOT_LIVE,
} from '../../src/filter/filter.ts'
import { cellBox, cellOf, matchesArea, matchesLive } from '../../src/filter/matches.ts'
import { regionOf, routeOf } from '../../src/filter/shapes.ts'
import { coversCell, Matcher } from '../../src/matching/matcher.ts'
import { between, filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { tries } from '../support/tier.ts'

const IDS = ['inc_1', 'inc_2', 'inc_3']
const someIds = fc.subarray(IDS, { minLength: 1 })
const standing = fc
  .tuple(filter, fc.option(someIds, { freq: 2 }))
  .map(([wanted, incidents]): LiveFilter => ({ ...wanted, ...NOT_LIVE, incidents }))

const anywhere = fc
  .tuple(incidentParts, between(3, 14.5), between(2.5, 15))
  .map(([parts, lat, lng]) => ({ ...parts, lat, lng }))
const fields = fc.oneof(incidentParts, anywhere).map((parts) => indexedFieldsOf(incidentFrom(parts, 1)))

/** Sets a subscriber's filter or removes the subscriber; few of both, so that they overlap. */
const step = (filters: readonly LiveFilter[]) =>
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.option(fc.constantFrom(...filters), { freq: 3 }))

const story = fc
  .array(standing, { minLength: 1, maxLength: 12 })
  .chain((filters) => fc.array(step(filters), { minLength: 1, maxLength: 60 }))

function setFilter<Subscriber>(
  matcher: Matcher<Subscriber>,
  subscriber: Subscriber,
  wanted: Partial<LiveFilter>,
): void {
  const filter = { ...EVERYTHING, ...NOT_LIVE, ...wanted }
  matcher.set(subscriber, canonicalQuery(filter), () => filter)
}

function subscribersOf(
  matcher: Matcher<number>,
  ids: readonly string[],
  fields: IndexedFields,
  ...earlier: IndexedFields[]
): number[] {
  const all = matcher.matchesFor(fields, earlier, ids).flatMap(({ subscribers }) => [...subscribers])
  return all.sort((one, other) => one - other)
}

test('finds exactly the subscribers whose filter matches, each once, after any changes', () => {
  const tally = { told: 0, asked: 0 }
  fc.assert(
    fc.property(story, fc.array(fields, { minLength: 1, maxLength: 15 }), fc.subarray(IDS), (steps, incidents, ids) => {
      const matcher = new Matcher<number>()
      const having = new Map<number, LiveFilter>()
      for (const [subscriber, wanted] of steps) {
        if (wanted) {
          setFilter(matcher, subscriber, wanted)
          having.set(subscriber, wanted)
        } else assert.equal(matcher.remove(subscriber), having.delete(subscriber))
      }
      const expected = (incident: IndexedFields) => (subscriber: number) =>
        matchesLive(having.get(subscriber)!, incident, ids)
      const everybody = [...having.keys()].sort((one, other) => one - other)
      for (const [at, incident] of incidents.entries()) {
        const found = subscribersOf(matcher, ids, incident)
        tally.told += found.length
        tally.asked += everybody.length
        assert.deepEqual(found, everybody.filter(expected(incident)))
        const before = incidents[at - 1]
        if (!before) continue
        const either = (subscriber: number) => expected(incident)(subscriber) || expected(before)(subscriber)
        assert.deepEqual(subscribersOf(matcher, ids, incident, before), everybody.filter(either))
      }
      assert.equal(matcher.size.subscribers, having.size)
      const following = [...having.values()].some(({ incidents }) => incidents !== null)
      assert.equal(matcher.followsIncidents, following)
    }),
    { numRuns: tries(1000) },
  )
  assert.ok(tally.told > tally.asked / 20 && tally.told < tally.asked * 0.8, JSON.stringify(tally))
})

test('subscribers with equal filters share one entry, however the filter was written', () => {
  const matcher = new Matcher<string>()
  setFilter(matcher, 'one', { route: routeOf(Float64Array.of(7.49, 9.06, 7.34, 10.45), 5) })
  setFilter(matcher, 'two', { route: routeOf(Float64Array.of(7.34, 10.45, 7.49, 9.06), 5) })
  assert.deepEqual(matcher.size, { subscribers: 2, filters: 1 })
  const [entry, ...others] = matcher.matchesFor(indexedFieldsOf(anIncident()))
  assert.deepEqual([...entry!.subscribers], ['one', 'two'])
  assert.deepEqual(others, [])
})

test('keeps nothing when all subscribers are removed', () => {
  const matcher = new Matcher<string>()
  setFilter(matcher, 'one', { states: ['NG-KD', 'NG-LA'] })
  setFilter(matcher, 'one', { lgas: ['NG-KD-CHIKUN'] })
  assert.deepEqual(matcher.size, { subscribers: 1, filters: 1 })
  assert.equal(matcher.remove('one'), true)
  assert.equal(matcher.remove('one'), false)
  assert.deepEqual(matcher.size, { subscribers: 0, filters: 0 })
  assert.deepEqual(matcher.matchesFor(indexedFieldsOf(anIncident())), [])
})

const CENTRE = { lat: 10.4, lng: 7.6 }
const anywhereBetween = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const near = (reach: number) =>
  fc.tuple(
    anywhereBetween(CENTRE.lat - reach, CENTRE.lat + reach),
    anywhereBetween(CENTRE.lng - reach, CENTRE.lng + reach),
  )

const box = fc.tuple(near(1), anywhereBetween(0.1, 1.5), anywhereBetween(0.1, 1.5)).map(([[lat, lng], high, wide]) => ({
  box: { west: lng - wide, south: lat - high, east: lng + wide, north: lat + high },
}))
const circle = fc
  .tuple(near(1), anywhereBetween(5, 150))
  .map(([[lat, lng], radiusKm]) => ({ circle: { lat, lng, radiusKm } }))
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
  .tuple(near(0.5), anywhereBetween(0.2, 2), near(1), anywhereBetween(0.05, 0.5), fc.boolean())
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
const share = fc.oneof(fc.constant(0), fc.constant(1), anywhereBetween(0, 1))

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
    { numRuns: tries(3000) },
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
