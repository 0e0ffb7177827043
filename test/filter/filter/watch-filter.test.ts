import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalQuery } from '../../../src/filter/filter/canonical.ts'
import { EVERYTHING } from '../../../src/filter/filter/filter.ts'
import { regionOf } from '../../../src/filter/filter/region.ts'
import { routeOf } from '../../../src/filter/filter/route.ts'
import { parseWatchFilter } from '../../../src/filter/filter/watch-filter.ts'
import { places } from '../../../src/geo/places.ts'

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
