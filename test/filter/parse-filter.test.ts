import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FieldError, Problem } from '../../src/domain/errors.ts'
import type { Places } from '../../src/domain/places.ts'
import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import {
  canonicalObject,
  canonicalQuery,
  declaredForm,
  EVERYTHING,
  type Filter,
  NOT_LIVE,
} from '../../src/filter/filter.ts'
import { GROUPS, parseGrouping } from '../../src/filter/grouping.ts'
import { parseListing } from '../../src/filter/listing.ts'
import { parseStreamFilter, parseWatchFilter } from '../../src/filter/live-filters.ts'
import { FILTER_PARAMETER_NAMES, parametersInObject, parametersInQuery } from '../../src/filter/parameters.ts'
import { parseFilter } from '../../src/filter/parse-filter.ts'
import { places } from '../../src/geo/places.ts'
import { filter } from '../support/arbitrary.ts'
import fc from '../support/fast-check.ts'
import { tries } from '../support/tier.ts'

const fromQuery = (query: string) =>
  parseFilter(parametersInQuery(new URLSearchParams(query), FILTER_PARAMETER_NAMES), places)
const fromObject = (object: unknown) =>
  parseFilter(parametersInObject(object, FILTER_PARAMETER_NAMES, '/filter'), places)

const GOOD: [string, Partial<Filter>][] = [
  ['', {}],
  ['state=Kaduna', { states: ['NG-KD'] }],
  ['state=kaduna', { states: ['NG-KD'] }],
  ['state=NG-KD', { states: ['NG-KD'] }],
  ['state=lagos, KADUNA,kaduna', { states: ['NG-KD', 'NG-LA'] }],
  ['state=FCT', { states: ['NG-FC'] }],
  ['state=Lagos&state=Kaduna', { states: ['NG-KD', 'NG-LA'] }],
  ['state=Lagos,FCT&state=Kaduna', { states: ['NG-FC', 'NG-KD', 'NG-LA'] }],
  ['lga=Chikun', { lgas: ['NG-KD-CHIKUN'] }],
  ['state=Oyo&lga=Surulere', { states: ['NG-OY'], lgas: ['NG-OY-SURULERE'] }],
  ['type=banditry,kidnapping', { types: ['kidnapping', 'banditry'] }],
  ['category=maritime', { types: ['piracy'] }],
  ['category=abduction&type=kidnapping,piracy', { types: ['kidnapping'] }],
  ['severity=critical,high', { severities: ['high', 'critical'] }],
  ['min_severity=high', { severities: ['high', 'critical'] }],
  ['min_severity=low', {}],
  ['min_severity=medium&severity=low,medium', { severities: ['medium'] }],
  ['confidence=0.8', { minConfidence: 0.8 }],
  ['min_confidence=.8&max_confidence=0.90', { minConfidence: 0.8, maxConfidence: 0.9 }],
  ['min_confidence=0&max_confidence=1', {}],
  ['since=24h', { since: { count: 24, unit: 'h' } }],
  ['since=2026-01-01T00:00:00Z', { publishedFrom: Date.UTC(2026, 0, 1) }],
  ['from=2026-01-01&to=2026-02-01', { publishedFrom: Date.UTC(2026, 0, 1), publishedTo: Date.UTC(2026, 1, 1) }],
  ['occurred_from=2026-01-01', { occurredFrom: Date.UTC(2026, 0, 1) }],
  ['bbox=7,10.2,7.8,10.9', { box: { west: 7, south: 10.2, east: 7.8, north: 10.9 } }],
  ['near=10.52,7.44&radius_km=25', { circle: { lat: 10.52, lng: 7.44, radiusKm: 25 } }],
]

for (const [query, expected] of GOOD) {
  test(`"${query}" is parsed`, () => assert.deepEqual(fromQuery(query), { value: { ...EVERYTHING, ...expected } }))
}

const BAD: [string, Partial<FieldError>][] = [
  ['colour=red', { parameter: 'colour', message: 'is not a parameter here' }],
  ['stat=Kaduna', { parameter: 'stat', did_you_mean: ['state'] }],
  ['bbox=1,2,3,4&bbox=1,2,3,4', { parameter: 'bbox', message: 'is given 2 times; it takes one value' }],
  ['state=Kaduna&state=', { parameter: 'state', message: 'is empty; leave it out, or give it a value' }],
  ['state=', { parameter: 'state', message: 'is empty; leave it out, or give it a value' }],
  ['state=Kaduna,,Lagos', { parameter: 'state', message: '"" is not a state of Nigeria' }],
  ['state=Kadunna', { parameter: 'state', message: '"Kadunna" is not a state of Nigeria', did_you_mean: ['Kaduna'] }],
  [
    'lga=Surulere',
    {
      parameter: 'lga',
      message: '"Surulere" is in Lagos and Oyo; give state as well, or the code',
      allowed: ['NG-LA-SURULERE', 'NG-OY-SURULERE'],
    },
  ],
  [
    'state=Kaduna&lga=Ikeja',
    { parameter: 'lga', message: '"Ikeja" is in Lagos, not in the given state', did_you_mean: ['NG-LA-IKEJA'] },
  ],
  ['lga=Atlantis', { parameter: 'lga', message: '"Atlantis" is not a local government area of Nigeria' }],
  ['type=kidnaping', { parameter: 'type', message: '"kidnaping" is not a type', did_you_mean: ['kidnapping'] }],
  ['type=Kidnapping', { parameter: 'type', did_you_mean: ['kidnapping'] }],
  ['category=piracy', { parameter: 'category', message: '"piracy" is not a category' }],
  [
    'type=piracy&category=abduction',
    { parameter: 'type', message: 'piracy is in none of the given categories; leave one of the two out' },
  ],
  ['severity=awful', { parameter: 'severity', allowed: ['low', 'medium', 'high', 'critical'] }],
  [
    'severity=low&min_severity=high',
    { parameter: 'severity', message: 'low is below min_severity; leave one of the two out' },
  ],
  ['min_severity=high,low', { parameter: 'min_severity', message: 'takes one value, not a list' }],
  [
    'confidence=0.8&min_confidence=0.8',
    { parameter: 'confidence', message: 'is the same as min_confidence; give one of the two' },
  ],
  ['min_confidence=80', { parameter: 'min_confidence', message: 'must be a number from 0 to 1, not "80"' }],
  ['min_confidence=high', { parameter: 'min_confidence', message: 'must be a number from 0 to 1, not "high"' }],
  ['min_confidence=0x1', { parameter: 'min_confidence' }],
  ['min_confidence=NaN', { parameter: 'min_confidence' }],
  ['min_confidence=0.9&max_confidence=0.5', { parameter: 'max_confidence', message: 'is below min_confidence, 0.9' }],
  [
    'since=yesterday',
    { parameter: 'since', message: 'takes a count with m, h, d or w, as 24h, or an RFC 3339 time, not "yesterday"' },
  ],
  ['since=24h&from=2026-01-01', { parameter: 'from', message: 'cannot be combined with since; give one of the two' }],
  ['from=2026-02-30', { parameter: 'from' }],
  ['from=2026-02-01&to=2026-01-01', { parameter: 'to', message: 'must be later than from' }],
  ['from=2026-02-01&to=2026-02-01', { parameter: 'to', message: 'must be later than from' }],
  [
    'occurred_from=2026-02-01&occurred_to=2026-01-01',
    { parameter: 'occurred_to', message: 'must be later than occurred_from' },
  ],
  ['bbox=1,2,3', { parameter: 'bbox', message: 'takes four numbers: west,south,east,north' }],
  ['bbox=1,2,3,x', { parameter: 'bbox', message: 'takes four numbers: west,south,east,north' }],
  [
    'bbox=8,10,7,11',
    { parameter: 'bbox', message: 'west (8) is east of east (7); the order is west,south,east,north' },
  ],
  [
    'bbox=7,11,8,10',
    { parameter: 'bbox', message: 'south (11) is north of north (10); the order is west,south,east,north' },
  ],
  ['bbox=-181,0,8,10', { parameter: 'bbox', message: 'west and east must lie between -180 and 180' }],
  ['near=10.52,7.44', { parameter: 'near', message: 'needs radius_km, the distance in kilometres' }],
  ['radius_km=5', { parameter: 'radius_km', message: 'needs near, the point to measure from, as lat,lng' }],
  ['near=10.52&radius_km=5', { parameter: 'near', message: 'takes two numbers: lat,lng' }],
  ['near=100,7&radius_km=5', { parameter: 'near' }],
  ['near=10,7&radius_km=501', { parameter: 'radius_km', message: 'must be a number from 0 to 500, not "501"' }],
  ['near=10,7&radius_km=0', { parameter: 'radius_km', message: 'must be above 0' }],
  [`state=${'x'.repeat(200)}`, { parameter: 'state', message: `"${'x'.repeat(60)}…" is not a state of Nigeria` }],
  [`state=${'x'.repeat(201)}`, { parameter: 'state', message: 'has a value longer than 200 characters' }],
]

for (const [query, expected] of BAD) {
  test(`"${query.slice(0, 60)}" is rejected with the reason`, () => {
    const parsed = fromQuery(query)
    assert.ok('errors' in parsed, 'it was accepted')
    assert.equal(parsed.errors.length, 1)
    assert.partialDeepStrictEqual(parsed.errors[0], expected)
  })
}

test('all errors are reported together', () => {
  const parsed = fromQuery('state=Kadunna&type=x&since=1&colour=red')
  assert.deepEqual('errors' in parsed && parsed.errors.map(({ parameter }) => parameter), [
    'colour',
    'state',
    'type',
    'since',
  ])
})

test('an object is parsed as a query string', () => {
  const object = {
    state: ['Kaduna', 'lagos'],
    type: 'kidnapping',
    min_confidence: 0.8,
    bbox: [7, 10.2, 7.8, 10.9],
    near: [10.5, 7.4],
    radius_km: 5,
  }
  const query = 'state=Kaduna,lagos&type=kidnapping&min_confidence=0.8&bbox=7,10.2,7.8,10.9&near=10.5,7.4&radius_km=5'
  assert.deepEqual(fromObject(object), fromQuery(query))
})

const BAD_OBJECTS: [unknown, Partial<FieldError>][] = [
  [null, { pointer: '/filter' }],
  [[], { pointer: '/filter' }],
  ['state=Kaduna', { pointer: '/filter' }],
  [{ state: null }, { pointer: '/filter/state' }],
  [{ state: [] }, { pointer: '/filter/state' }],
  [{ state: [{}] }, { pointer: '/filter/state' }],
  [{ state: true }, { pointer: '/filter/state' }],
  [{ 'a/b~c': 1 }, { pointer: '/filter/a~1b~0c', message: 'is not a parameter here' }],
  [{ state: 'Kadunna' }, { pointer: '/filter/state', did_you_mean: ['Kaduna'] }],
]

for (const [object, expected] of BAD_OBJECTS) {
  test(`${JSON.stringify(object)} is rejected as a filter, with a pointer`, () => {
    const parsed = fromObject(object)
    assert.ok('errors' in parsed, 'it was accepted')
    assert.partialDeepStrictEqual(parsed.errors[0], expected)
  })
}

const names = (count: number) => Array.from({ length: count }, (_, number) => `unknown ${number}`)

const refusal = (parse: () => unknown): Problem => {
  try {
    parse()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was accepted')
}

const LONG: Record<string, () => unknown> = {
  'with commas': () => parseListing(new URLSearchParams({ lga: names(101).join(',') }), places),
  repeated: () => parseListing(new URLSearchParams(names(101).map((name) => ['lga', name])), places),
  'of a stream': () => parseStreamFilter(new URLSearchParams({ lga: names(2000).join(',') }), [], places),
  'of statistics': () => parseGrouping(new URLSearchParams({ group_by: 'state', lga: names(101).join() }), places),
}
for (const [kind, parse] of Object.entries(LONG)) {
  test(`a list of more than 100 values ${kind} is refused, with its name and the maximum`, () => {
    const { code, errors } = refusal(parse)
    assert.equal(code, 'too_many_values')
    assert.deepEqual(errors, [{ parameter: 'lga', message: 'takes at most 100 values in one request' }])
  })
}

for (const list of [names(101), names(101).join(',')]) {
  test(`a JSON ${typeof list === 'string' ? 'text' : 'array'} of more than 100 values is refused, with a pointer`, () => {
    const { code, errors } = refusal(() => parseWatchFilter({ lga: list }, '/filter', places))
    assert.equal(code, 'too_many_values')
    assert.deepEqual(errors, [{ pointer: '/filter/lga', message: 'takes at most 100 values in one request' }])
  })
}

test('100 values are accepted', () => {
  const lgas = places.lgas.slice(0, 100).map(({ code }) => code)
  const { filter } = parseListing(new URLSearchParams({ lga: lgas.join(',') }), places)
  assert.equal(filter.lgas?.length, 100)
})

test('similar names are searched for the first 5 wrong names of a request only', () => {
  let searches = 0
  const counting: Places = {
    ...places,
    findLga: () => ({
      kind: 'unknown',
      get suggestions() {
        searches++
        return ['Chikun']
      },
    }),
  }
  const query = new URLSearchParams({ lga: names(100).join(',') })
  const parsed = parseFilter(parametersInQuery(query, FILTER_PARAMETER_NAMES), counting)
  assert.ok('errors' in parsed)
  assert.equal(parsed.errors.length, 100)
  assert.deepEqual(
    parsed.errors.map(({ did_you_mean }) => did_you_mean !== undefined),
    Array.from({ length: 100 }, (_, index) => index < 5),
  )
  assert.equal(searches, 5)
})

test('of thousands of parameters that do not exist, 20 are named, 5 with hints', () => {
  const query = new URLSearchParams(names(3000).map((name) => [name, '1']))
  const { errors } = refusal(() => parseListing(query, places))
  assert.equal(errors.length, 20)
  assert.equal(errors.filter(({ allowed, did_you_mean }) => allowed ?? did_you_mean).length, 5)
})

describe('canonical', () => {
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
      { numRuns: tries(1000) },
    )
  })

  test('a filter is the same after it has been written as an object and read again', () => {
    fc.assert(
      fc.property(writable, (filter) => {
        const wanted = { ...filter, ...NO_SHAPES }
        const written = JSON.parse(JSON.stringify(canonicalObject(wanted))) as unknown
        assert.deepEqual(object(written), { value: wanted })
      }),
      { numRuns: tries(1000) },
    )
  })

  test('a live filter with polygon and route is the same after it has been written as an object and read again', () => {
    fc.assert(
      fc.property(writable, (filter) => {
        const wanted = { ...filter, ...NOT_LIVE }
        const written = JSON.parse(JSON.stringify(canonicalObject(wanted))) as unknown
        assert.deepEqual(standing(written), { value: wanted })
      }),
      { numRuns: tries(1000) },
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
})

describe('grouping', () => {
  const parse = (query: string) => parseGrouping(new URLSearchParams(query), places)

  test('one or two groups are accepted, with the filters of the list', () => {
    const { groups, filter } = parse('group_by=state, month&severity=high')
    assert.deepEqual([groups, filter.severities], [['state', 'month'], ['high']])
    assert.deepEqual(parse('group_by=state&group_by=month').groups, ['state', 'month'])
    for (const group of GROUPS) assert.deepEqual(parse(`group_by=${group}`).groups, [group])
  })

  const WRONG = {
    '': /group_by is missing/,
    'group_by=': /group_by is empty/,
    'group_by=state&group_by=lga&group_by=type': /takes one or two groups, not 3/,
    'group_by=stat': /"stat" is not a group to count by/,
    'group_by=state,': /"" is not a group to count by/,
    'group_by=state,type,severity': /takes one or two groups, not 3/,
    'group_by=state,state': /names state twice/,
    'group_by=month,day': /takes one unit of time, not both month and day/,
    'group_by=state&limit=5': /limit is not a parameter here/,
    'group_by=stat&state=Kadunna': /"Kadunna" is not a state of Nigeria; group_by "stat"/,
  }

  for (const [query, message] of Object.entries(WRONG)) {
    test(`?${query} is rejected: ${message.source}`, () => {
      assert.throws(
        () => parse(query),
        (error) => error instanceof Problem && error.code === 'invalid_parameter' && message.test(error.message),
      )
    })
  }
})
