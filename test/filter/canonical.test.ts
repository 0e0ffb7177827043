import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { canonicalObject, canonicalQuery, declaredForm } from '../../src/filter/canonical.ts'
import { EVERYTHING, type Filter, NOT_LIVE } from '../../src/filter/filter.ts'
import { parseWatchFilter } from '../../src/filter/live-filters.ts'
import { FILTER_PARAMETER_NAMES } from '../../src/filter/parameters.ts'
import { parseFilter } from '../../src/filter/parse-filter.ts'
import { parametersInObject, parametersInQuery } from '../../src/filter/raw-parameters.ts'
import { places } from '../../src/geo/places.ts'
import { filter } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'

const query = (text: string) =>
  parseFilter(parametersInQuery(new URLSearchParams(text), FILTER_PARAMETER_NAMES), places)
const object = (value: unknown) => parseFilter(parametersInObject(value, FILTER_PARAMETER_NAMES, ''), places)
const standing = (value: unknown) => parseWatchFilter(value, '/filter', places)

const NO_SHAPES = { region: null, route: null }

/**
 * Filters that a client can write: numbers with at most six decimals, LGAs only of the given
 * states, and a minimum confidence below the maximum.
 */
const writable = filter.map((wanted): Filter => {
  const round = (value: number) => Math.round(value * 1e6) / 1e6
  const { box, circle, states, minConfidence, maxConfidence } = wanted
  const lgas = wanted.lgas?.filter((code) => states === null || states.includes(code.slice(0, 5))) ?? null
  return {
    ...wanted,
    states: states && [...states].sort(),
    lgas: lgas?.length ? [...lgas].sort() : null,
    types: wanted.types && TYPE_NAMES.filter((type) => wanted.types!.includes(type)),
    severities: wanted.severities && SEVERITIES.filter((severity) => wanted.severities!.includes(severity)),
    maxConfidence:
      minConfidence !== null && maxConfidence !== null && minConfidence > maxConfidence ? null : maxConfidence,
    box: box && { west: round(box.west), south: round(box.south), east: round(box.east), north: round(box.north) },
    circle: circle && { lat: round(circle.lat), lng: round(circle.lng), radiusKm: round(circle.radiusKm) },
  }
})

test('a filter is the same after it has been written as a query string and read again', () => {
  fc.assert(
    fc.property(writable, (filter) => {
      const wanted = { ...filter, ...NO_SHAPES }
      assert.deepEqual(query(canonicalQuery(wanted)), { value: wanted })
    }),
    { numRuns: 1000 },
  )
})

test('a filter is the same after it has been written as an object and read again', () => {
  fc.assert(
    fc.property(writable, (filter) => {
      const wanted = { ...filter, ...NO_SHAPES }
      const written = JSON.parse(JSON.stringify(canonicalObject(wanted))) as unknown
      assert.deepEqual(object(written), { value: wanted })
    }),
    { numRuns: 1000 },
  )
})

test('a live filter with polygon and route is the same after it has been written as an object and read again', () => {
  fc.assert(
    fc.property(writable, (filter) => {
      const wanted = { ...filter, ...NOT_LIVE }
      const written = JSON.parse(JSON.stringify(canonicalObject(wanted))) as unknown
      assert.deepEqual(standing(written), { value: wanted })
    }),
    { numRuns: 1000 },
  )
})

test('different spellings have one canonical form', () => {
  const spellings = [
    'state=kaduna,LAGOS&min_severity=high',
    'severity=critical,high&state=NG-LA,NG-KD',
    'state=Lagos%20State,Kaduna&severity=high,critical',
  ]
  const forms = spellings.map((text) => {
    const parsed = query(text)
    return 'value' in parsed ? canonicalQuery(parsed.value) : parsed.errors
  })
  assert.deepEqual(forms, Array(3).fill('state=NG-KD,NG-LA&severity=high,critical'))
})

test('a filter without restrictions has an empty form', () => {
  assert.equal(canonicalQuery(EVERYTHING), '')
  assert.deepEqual(canonicalObject(EVERYTHING), {})
})

test('very small numbers keep their digits', () => {
  const parsed = query('bbox=0.0000001,0,1,1')
  assert.ok('value' in parsed)
  assert.deepEqual(query(canonicalQuery(parsed.value)), parsed)
  assert.deepEqual(object({ bbox: [1e-7, 0, 1, 1] }), parsed)
})

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
