import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalQuery } from '../../src/filter/filter/canonical.ts'
import { EVERYTHING, type LiveFilter, NOT_LIVE } from '../../src/filter/filter/filter.ts'
import { matchesLive } from '../../src/filter/filter/matches.ts'
import { routeOf } from '../../src/filter/filter/route.ts'
import { type IndexedFields, indexedFieldsOf } from '../../src/filter/indexed-fields.ts'
import { Matcher } from '../../src/matching/matcher.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { between, filter, incidentFrom, incidentParts } from '../support/incidents/arbitrary.ts'

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
    { numRuns: 1000 },
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
