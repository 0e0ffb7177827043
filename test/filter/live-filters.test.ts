import assert from 'node:assert/strict'
import { it, test } from 'node:test'
import { canonicalQuery, EVERYTHING } from '../../src/filter/filter.ts'
import { PAGING_PARAMETERS } from '../../src/filter/listing.ts'
import {
  LIVE_PARAMETER_NAMES,
  parseAlertFilter,
  parseListenFilter,
  parseStreamFilter,
  parseWatchFilter,
} from '../../src/filter/live-filters.ts'
import { FILTER_PARAMETER_NAMES } from '../../src/filter/parameters.ts'
import { regionOf, routeOf } from '../../src/filter/shapes.ts'
import { places } from '../../src/geo/places.ts'
import { filterInAlertAddress } from '../../src/pages/alerts-page.ts'

const parse = (filter: unknown) => parseWatchFilter(filter, '/filter', places)

const TRIANGLE = [
  [7.3, 10.4],
  [7.5, 10.4],
  [7.4, 10.6],
  [7.3, 10.4],
]
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings })
const LINE = [
  [7.49, 9.06],
  [7.44, 10.52],
]

test('a polygon and a route are parsed beside the other filters', () => {
  assert.deepEqual(
    parse({ state: ['Kaduna', 'FCT'], polygon: polygon(TRIANGLE), route: { line: LINE, buffer_km: 5 } }),
    {
      value: {
        ...EVERYTHING,
        states: ['NG-FC', 'NG-KD'],
        region: regionOf([[Float64Array.from(TRIANGLE.flat())]]),
        route: routeOf(Float64Array.from(LINE.flat()), 5),
      },
    },
  )
})

test('a MultiPolygon of one, a bbox and heights mean what the Polygon means, and have one text', () => {
  const texts = [
    { polygon: polygon(TRIANGLE) },
    { polygon: { type: 'MultiPolygon', coordinates: [[TRIANGLE]] } },
    { polygon: { ...polygon(TRIANGLE.map((position) => [...position, 600])), bbox: [7.3, 10.4, 7.5, 10.6] } },
    { polygon: polygon(TRIANGLE.toReversed()) },
  ].map((filter) => {
    const parsed = parse(filter)
    return 'value' in parsed ? canonicalQuery(parsed.value) : parsed.errors
  })
  assert.deepEqual(texts, Array(4).fill(texts[0]))
  assert.match(String(texts[0]), /^polygon=/)
})

const circleOf = (count: number) => {
  const positions = Array.from({ length: count - 1 }, (_, at) => {
    const angle = (2 * Math.PI * at) / (count - 1)
    return [7 + Math.cos(angle), 10 + Math.sin(angle)]
  })
  return [...positions, positions[0]]
}

test('waters off the coast count as Nigeria', () => {
  const offShore = polygon([
    [5, 3],
    [6, 3],
    [6, 3.5],
    [5, 3],
  ])
  assert.ok('value' in parse({ polygon: offShore }))
})

test('the largest polygon and the longest route are accepted', () => {
  assert.ok('value' in parse({ polygon: polygon(circleOf(1000)) }))
  assert.ok('value' in parse({ route: { line: circleOf(500), buffer_km: 0.1 } }))
})

const swapped = (positions: number[][]) => positions.map(([lng, lat]) => [lat, lng])
const SOKOTO = [
  [5.2, 13],
  [5.3, 13],
  [5.25, 13.1],
  [5.2, 13],
]
const SWAPPED =
  'lies outside Nigeria; the order is [longitude, latitude], and with the two swapped it would lie in Nigeria'
const IN_LONDON = [
  [-0.1, 51.5],
  [0.1, 51.5],
  [0, 51.6],
  [-0.1, 51.5],
]

const BAD: [unknown, string, string | RegExp][] = [
  [null, '', /must be an object of filters/],
  [{ polygon: null }, '/polygon', /^must be an object, as \{"type": "Polygon"/],
  [{ polygon: [] }, '/polygon', /^must be an object/],
  [{ polygon: 'POLYGON ((7 10))' }, '/polygon', /^must be an object/],
  [{ polygon: { type: 'Point', coordinates: [7, 10] } }, '/polygon/type', 'must be "Polygon" or "MultiPolygon"'],
  [{ polygon: { coordinates: [TRIANGLE] } }, '/polygon/type', 'must be "Polygon" or "MultiPolygon"'],
  [
    { polygon: { type: 'Feature', properties: {}, geometry: polygon(TRIANGLE) } },
    '/polygon/type',
    'must be "Polygon" or "MultiPolygon"; give the geometry of the Feature',
  ],
  [{ polygon: { type: 'constructor', coordinates: [] } }, '/polygon/type', 'must be "Polygon" or "MultiPolygon"'],
  [{ polygon: { ...polygon(TRIANGLE), crs: {} } }, '/polygon', /^has a member that is unknown, "crs"/],
  [{ polygon: { type: 'Polygon' } }, '/polygon/coordinates', /^must be a list of rings/],
  [{ polygon: polygon() }, '/polygon/coordinates', /^must be a list of rings/],
  [{ polygon: polygon(TRIANGLE, []) }, '/polygon/coordinates/1', /^must be a list of positions/],
  [{ polygon: polygon([...TRIANGLE.slice(0, 3), 7]) }, '/polygon/coordinates/0/3', /^must be two numbers/],
  [{ polygon: polygon([[7], ...TRIANGLE]) }, '/polygon/coordinates/0/0', /^must be two numbers/],
  [{ polygon: polygon([['7.3', '10.4'], ...TRIANGLE]) }, '/polygon/coordinates/0/0', /^must be two numbers/],
  [{ polygon: polygon([[181, 10], ...TRIANGLE]) }, '/polygon/coordinates/0/0', /^longitude 181 must lie between/],
  [
    { polygon: polygon([[7, 91], ...TRIANGLE]) },
    '/polygon/coordinates/0/0',
    /^latitude 91 .* \[longitude, latitude\]$/,
  ],
  [{ polygon: polygon(TRIANGLE.slice(0, 3)) }, '/polygon/coordinates/0', /^must have four positions or more/],
  [{ polygon: polygon([...TRIANGLE.slice(0, 3), [7.2, 10.4]]) }, '/polygon/coordinates/0', /^is not closed: repeat/],
  [{ polygon: polygon([LINE[0], LINE[1], LINE[1], LINE[0]]) }, '/polygon/coordinates/0', 'encloses nothing'],
  [
    {
      polygon: polygon([
        [7, 10],
        [8, 11],
        [8, 10],
        [7, 12],
        [7, 10],
      ]),
    },
    '/polygon/coordinates/0',
    /^crosses itself/,
  ],
  [{ polygon: polygon(circleOf(1001)) }, '/polygon/coordinates/0', /^has 1001 positions, more than 1000/],
  [
    { polygon: { type: 'MultiPolygon', coordinates: [[circleOf(600)], [circleOf(600)]] } },
    '/polygon/coordinates',
    /^has more than 1000 positions in all/,
  ],
  [{ polygon: polygon(swapped(SOKOTO)) }, '/polygon/coordinates', SWAPPED],
  [{ polygon: polygon(IN_LONDON) }, '/polygon/coordinates', 'lies outside Nigeria, where every incident is'],
  [{ route: LINE }, '/route', /^must be an object, as \{"line"/],
  [{ route: { line: LINE } }, '/route/buffer_km', 'must be a number from 0.1 to 100'],
  [{ route: { line: LINE, buffer_km: '5' } }, '/route/buffer_km', 'must be a number from 0.1 to 100'],
  [{ route: { line: LINE, buffer_km: 0.09 } }, '/route/buffer_km', 'must be a number from 0.1 to 100'],
  [{ route: { line: LINE, buffer_km: 101 } }, '/route/buffer_km', 'must be a number from 0.1 to 100'],
  [{ route: { buffer_km: 5 } }, '/route/line', /^must be a list of positions/],
  [{ route: { line: [LINE[0]], buffer_km: 5 } }, '/route/line', /^must have two different points/],
  [{ route: { line: [LINE[0], LINE[0]], buffer_km: 5 } }, '/route/line', /^must have two different points/],
  [{ route: { line: circleOf(501), buffer_km: 5 } }, '/route/line', /^has 501 positions, more than 500/],
  [{ route: { line: swapped(SOKOTO), buffer_km: 5 } }, '/route/line', SWAPPED],
  [{ route: { line: LINE, buffer_km: 5, width: 3 } }, '/route', /^has a member that is unknown, "width"/],
  [{ since: '24h' }, '/since', /^is not allowed here/],
  [{ occurred_to: '2026-01-01' }, '/occurred_to', /^is not allowed here/],
  [{ limit: 5 }, '/limit', 'is not a parameter here'],
  [{ poligon: polygon(TRIANGLE) }, '/poligon', 'is not a parameter here'],
  [{ state: 'Kadunna' }, '/state', '"Kadunna" is not a state of Nigeria'],
]

for (const [filter, pointer, message] of BAD) {
  test(`${JSON.stringify(filter).slice(0, 90)} is rejected at /filter${pointer}`, () => {
    const parsed = parse(filter)
    assert.ok('errors' in parsed, 'it was accepted')
    assert.equal(parsed.errors.length, 1)
    const [error] = parsed.errors
    assert.equal(error!.pointer, `/filter${pointer}`)
    if (typeof message === 'string') assert.equal(error!.message, message)
    else assert.match(error!.message, message)
  })
}

test('a mistyped "polygon" gets a suggestion, and all errors are reported together', () => {
  const parsed = parse({ poligon: 1, type: 'x', polygon: 1, route: 1, from: '2026-01-01' })
  assert.ok('errors' in parsed)
  assert.deepEqual(
    parsed.errors.map((error) => error.pointer),
    ['/filter/poligon', '/filter/type', '/filter/polygon', '/filter/route', '/filter/from'],
  )
  assert.deepEqual(parsed.errors[0]!.did_you_mean, ['polygon'])
})

const IDS = Array.from({ length: 21 }, (_, number) => `inc_${'0'.repeat(24)}${number + 10}`)

test('a watch may follow up to 20 incidents, written in any order, as text or as a list', () => {
  const [one, other] = IDS
  for (const incident of [[other, one, one], `${one},${other}`]) {
    const parsed = parse({ incident })
    assert.ok('value' in parsed)
    assert.equal(canonicalQuery(parsed.value), `incident=${one},${other}`)
  }
  assert.ok('value' in parse({ incident: IDS.slice(1) }))
  for (const incident of [IDS, ['inc_1'], [one, 'wat_01jd8z0c5xk3m9q2v7w4t6r8y0'], [], 7]) {
    const parsed = parse({ incident })
    assert.ok('errors' in parsed, String(incident))
    assert.equal(parsed.errors[0]!.pointer, '/filter/incident')
  }
})

const parseStream = (query: string) => parseStreamFilter(new URLSearchParams(query), ['last_event_id'], places)

test('the filter of a stream is parsed like that of a list', () => {
  const parsed = parseStream('state=kaduna&category=abduction&last_event_id=7')
  assert.ok('value' in parsed)
  assert.deepEqual(parsed.value.states, ['NG-KD'])
  assert.ok(parsed.value.types!.includes('kidnapping'))
  assert.equal(parsed.value.since, null)
})

test('parameters of lists are rejected with the reason, together with all other errors', () => {
  const alone = FILTER_PARAMETER_NAMES.filter((name) => !(LIVE_PARAMETER_NAMES as string[]).includes(name))
  for (const name of [...alone, 'incident', ...Object.keys(PAGING_PARAMETERS)]) {
    const parsed = parseStream(`${name}=x&severity=awful`)
    assert.ok('errors' in parsed)
    assert.deepEqual(
      parsed.errors.map(({ parameter }) => parameter),
      [name, 'severity'],
    )
    assert.match(parsed.errors[0]!.message, /^is not allowed here: a stream .*; leave it out$/)
  }
})

test('who listens may name incidents, with commas or repeated; not more than a watch may', () => {
  const ids = Array.from({ length: 21 }, (_, number) => `inc_${'0'.repeat(24)}${number + 10}`)
  const listen = (query: string) => parseListenFilter(new URLSearchParams(query), [], places)
  const parsed = listen(`incident=${ids[1]},${ids[0]}&incident=${ids[1]}&state=Kaduna`)
  assert.deepEqual('value' in parsed && parsed.value.incidents, ids.slice(0, 2))
  for (const query of [`incident=${ids.join(',')}`, 'incident=inc_1', 'incident='])
    assert.ok('errors' in listen(query), query)
})

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
