import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Columns } from '../../src/archive/columns/columns.ts'
import { columnFiltersFor, undecidedBy } from '../../src/archive/query/column-filters.ts'
import { readCursor, writeCursor } from '../../src/archive/query/cursor.ts'
import { MAX_COMPARISONS, positionsIn, WorkLimit } from '../../src/archive/query/matches.ts'
import { boundsOf } from '../../src/archive/segments/segment-indexes.ts'
import { Problem } from '../../src/domain/errors.ts'
import { EVERYTHING, type Filter, indexedFieldsOf } from '../../src/filter/filter.ts'
import type { Listing } from '../../src/filter/listing.ts'
import { matches } from '../../src/filter/matches.ts'
import { MAX_POINTS, MAX_POSITIONS } from '../../src/filter/parse-shapes.ts'
import { regionOf, routeOf } from '../../src/filter/shapes.ts'
import { between, DAY, EPOCH, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

/** Finer than hundredths, by which most values are decided. */
const confidence = fc.noBias(fc.nat(1000)).map((thousandths) => thousandths / 1000)
const wholeConfidence = fc.noBias(fc.nat(100)).map((hundredths) => hundredths / 100)
const place = { lat: between(2, 15), lng: between(1, 16) }
const incidentsWith = (confidences: fc.Arbitrary<number>) =>
  fc.array(fc.record({ parts: incidentParts, confidence: confidences, ...place }), { minLength: 200, maxLength: 200 })
const incidents = fc.oneof(incidentsWith(confidence), incidentsWith(wholeConfidence))

const FILTERS: Record<string, fc.Arbitrary<Partial<Filter>>> = {
  confidence: fc
    .tuple(fc.option(fc.oneof(confidence, wholeConfidence)), fc.option(fc.oneof(confidence, wholeConfidence)))
    .map(([minConfidence, maxConfidence]) => ({ minConfidence, maxConfidence })),
  'distance from a place': fc
    .record({ ...place, radiusKm: between(1, 600) }, { noNullPrototype: true })
    .map((circle) => ({ circle })),
}

for (const [name, filter] of Object.entries(FILTERS)) {
  test(`slots filtered by ${name} are those that match, in order`, () => {
    fc.assert(
      fc.property(incidents, filter, (all, restricted) => {
        const wanted = { ...EVERYTHING, ...restricted }
        const columns = new Columns()
        const fields = all.map(({ parts, ...more }, slot) => indexedFieldsOf({ ...incidentFrom(parts, slot), ...more }))
        for (const [slot, one] of fields.entries()) columns.set(slot, anIncident(slot).id.slice(4), one)
        const slots = Uint32Array.from(fields.keys())
        let count = slots.length
        for (const { run } of columnFiltersFor(wanted, columns)) count = run(slots, count)
        const expected = [...fields.keys()].filter((slot) => matches(wanted, fields[slot]!, 0))
        assert.deepEqual([...slots.subarray(0, count)], expected)
      }),
      { numRuns: 100 },
    )
  })
}

const bound = fc.option(fc.nat(20).map((twentieth) => twentieth / 20))
const time = fc.option(fc.integer({ min: -1, max: 13 }).map((days) => EPOCH + days * DAY))
const conditions = fc.record(
  { minConfidence: bound, maxConfidence: bound, occurredFrom: time, occurredTo: time },
  { noNullPrototype: true },
)

test('conditions that bounds decide change no match', () => {
  fc.assert(
    fc.property(fc.array(incidentParts, { minLength: 1, maxLength: 4 }), conditions, (all, restricted) => {
      const filter = { ...EVERYTHING, ...restricted }
      const columns = new Columns()
      const fields = all.map((parts, slot) => indexedFieldsOf(incidentFrom(parts, slot)))
      for (const [slot, one] of fields.entries()) columns.set(slot, anIncident(slot).id.slice(4), one)
      const undecided = undecidedBy(boundsOf(Uint32Array.from(fields.keys()), columns), filter)
      const expected = fields.map((one) => matches(filter, one, 0))
      assert.deepEqual(
        fields.map((one) => undecided !== null && matches(undecided, one, 0)),
        expected,
      )
      if (expected.every(Boolean)) assert.deepEqual(undecided, EVERYTHING)
    }),
    { numRuns: 500 },
  )
})

const listing: Listing = { filter: EVERYTHING, order: 'newest', limit: 50, cursor: null, format: null, fields: null }
const cursor = {
  position: { publishedAt: Date.UTC(2026, 0, 1), suffix: '0123456789abcdefghjkmnpqrs' },
  requestedAt: Date.UTC(2026, 1, 1),
  log: '8123.Xk3yR0pWc9A.aB3_x9',
}

const code = (text: string, other = listing) => {
  try {
    readCursor(text, other)
    return 'accepted'
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

test('a cursor keeps its position and the time of the request, also before 1970', () => {
  assert.deepEqual(readCursor(writeCursor(cursor, listing), listing), cursor)
  const ofDesk = { ...cursor, log: '' }
  assert.deepEqual(readCursor(writeCursor(ofDesk, listing), listing), ofDesk)
  const old = { ...cursor, position: { ...cursor.position, publishedAt: Date.UTC(1961, 5, 1) } }
  assert.deepEqual(readCursor(writeCursor(old, listing), listing), old)
})

test('the page size may change from page to page, filters and order may not', () => {
  const text = writeCursor(cursor, listing)
  assert.equal(code(text, { ...listing, limit: 7 }), 'accepted')
  assert.equal(code(text, { ...listing, order: 'oldest' }), 'cursor_of_another_query')
  assert.equal(code(text, { ...listing, filter: { ...EVERYTHING, states: ['NG-KD'] } }), 'cursor_of_another_query')
})

test('refuses a damaged cursor, whatever part is damaged', () => {
  const text = writeCursor(cursor, listing)
  for (let at = 0; at < text.length; at++) {
    assert.equal(
      code(text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)),
      'invalid_cursor',
      `at ${at}`,
    )
  }
  for (const other of ['', 'x', 'next_cursor', text.slice(0, -3), Buffer.from('1.a.b.c.d.e').toString('base64url')]) {
    assert.equal(code(other), 'invalid_cursor', other)
  }
  fc.assert(fc.property(fc.string(), (any) => assert.equal(code(any), 'invalid_cursor')))
})

const region = regionOf([[Float64Array.of(7, 9, 8, 9, 8, 10, 7, 9)]])
const route = routeOf(Float64Array.of(7, 9, 8, 10), 5)
const filter = { ...EVERYTHING, region, route }

test('a question may compare so many incidents with so many positions, and no more', () => {
  assert.equal(positionsIn(filter), 6)
  const work = new WorkLimit(filter, 6000)
  work.countCompared(1000)
  assert.throws(
    () => work.countCompared(1),
    (error) => error instanceof Problem && error.code === 'too_much_work' && /6 for each incident/.test(error.message),
  )
})

test('the largest shapes may be compared with a million incidents', () => {
  assert.ok(1_000_000 * (MAX_POSITIONS + MAX_POINTS) <= MAX_COMPARISONS)
})

test('a question without a shape has no limit', () => {
  new WorkLimit(EVERYTHING, 10).countCompared(1_000_000_000)
})
