import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it, test } from 'node:test'
import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { parseAlertFilter } from '../../src/filter/live-filters.ts'
import { fitWindow, MAP_PERIOD_NAMES } from '../../src/filter/map-periods.ts'
import { places } from '../../src/geo/places.ts'
import { filterInAlertAddress } from '../../src/pages/alerts-page.ts'
import { alertAddress } from '../../web/map/ui/place-tools/alert-address.ts'
import { listCommand, watchCommand } from '../../web/map/ui/share/curl-commands.ts'
import { windowText } from '../../web/map/ui/time-text.ts'
import { drawnAreaIn, drawnAreaText, isInArea, isWhole } from '../../web/map/view/shapes.ts'
import { boxText, filterOf, LAYERS, readView, type View, writeView } from '../../web/map/view/view.ts'
import { startTestApp } from '../support/app.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'

const PLAIN = { noNullPrototype: true } as const
const day = fc.integer({ min: 0, max: 4000 }).map((days) => new Date(Date.UTC(2016, 0, 1 + days)).toISOString())
const rounded = (place: number) => Number(place.toFixed(3))
const degrees = fc.integer({ min: 2700, max: 14_000 }).map((place) => place / 1000)

const view: fc.Arbitrary<View> = fc.record(
  {
    period: fc.constantFrom(...MAP_PERIOD_NAMES),
    window: fc.option(
      fc
        .tuple(day, day)
        .filter(([from, to]) => from < to)
        .map(([from, to]) => ({ from, to })),
    ),
    box: fc.option(
      fc
        .tuple(...['west', 'south', 'east', 'north'].map(() => fc.integer({ min: -80_000_000, max: 80_000_000 })))
        .map(([a, b, c, d]) => [a! / 1e6, b! / 1e6, c! / 1e6, d! / 1e6] as const)
        .filter(([west, south, east, north]) => west <= east && south <= north),
    ),
    states: fc.subarray(['NG-KD', 'NG-LA', 'NG-BO']),
    lgas: fc.subarray(['NG-KD-CHIKUN', 'NG-LA-IKEJA']),
    types: fc.subarray([...TYPE_NAMES]),
    severities: fc.subarray([...SEVERITIES]),
    minConfidence: fc.option(fc.constantFrom('0.5', '0.7', '0.9')),
    near: fc.option(fc.record({ lat: degrees, lng: degrees, radiusKm: fc.constantFrom(5, 25, 100) }, PLAIN)),
    road: fc.option(
      fc.record(
        {
          line: fc.uniqueArray(fc.tuple(degrees, degrees), { selector: String, minLength: 2, maxLength: 40 }),
          bufferKm: fc.constantFrom(0.5, 2, 5, 25),
        },
        PLAIN,
      ),
    ),
    polygon: fc.option(
      fc.tuple(degrees, degrees, fc.integer({ min: 1, max: 900 })).map(([lng, lat, size]) => [
        [lng, lat],
        [rounded(lng + size / 1000), lat],
        [lng, rounded(lat + size / 1000)],
      ]),
    ),
    layer: fc.constantFrom(...LAYERS),
    camera: fc.option(
      fc.record(
        {
          zoom: fc.integer({ min: 0, max: 1500 }).map((hundredth) => hundredth / 100),
          lat: fc.integer({ min: 40_000, max: 140_000 }).map((place) => place / 10_000),
          lng: fc.integer({ min: 20_000, max: 150_000 }).map((place) => place / 10_000),
        },
        PLAIN,
      ),
    ),
    incident: fc.option(fc.constant('inc_00000000000000000000000001')),
    embed: fc.boolean(),
  },
  PLAIN,
)

test('a view written into an address is read back unchanged; its window begins and ends with bars', () => {
  fc.assert(
    fc.property(view, (any) => {
      const one = any.window === null ? any : { ...any, ...fitWindow(any.period, any.window) }
      assert.deepEqual(readView(writeView(one)), one)
    }),
  )
})

test('the default view has an empty address', () => {
  assert.equal(writeView(readView(new URLSearchParams())).toString(), '')
})

const INVALID = [
  'span=never',
  'layer=x',
  'at=9/200/7',
  'at=a/b/c',
  'at=',
  'severity=awful',
  'min_confidence=2',
  'from=x&to=y',
  'near=10,7',
  'near=10,200&radius_km=5',
  'near=10,7&radius_km=501',
  'road=7,9&buffer_km=5',
  'road=7,9;7,9&buffer_km=5',
  'road=7,9;7,x&buffer_km=5',
  'road=7,9;7,10',
  'road=7,9;7,10&buffer_km=101',
  'from=2026-02-01&to=2026-01-01',
  'from=2026-01-01',
  'box=1,2,3',
  'box=9,2,3,4',
  'box=1,2,300,4',
]
for (const address of INVALID) {
  test(`"${address}" is ignored`, () =>
    assert.deepEqual(readView(new URLSearchParams(address)), readView(new URLSearchParams())))
}

/** 09:30 in Lagos on a Monday. */
/** 09:30 in Lagos. */
const NOW = Date.parse('2026-11-16T08:30:00Z')
const FILTERS = {
  '': 'from=2026-10-17T23:00:00Z&to=2026-11-16T23:00:00Z',
  'span=24h': 'from=2026-11-15T09:00:00Z&to=2026-11-16T09:00:00Z',
  'span=7d': 'from=2026-11-09T23:00:00Z&to=2026-11-16T11:00:00Z',
  'span=all': '',
  'span=1y&state=NG-KD,NG-LA': 'state=NG-KD,NG-LA&from=2025-11-16T23:00:00Z&to=2026-11-22T23:00:00Z',
  'span=7d&from=2026-01-01T05:00:00Z&to=2026-01-02T05:00:00Z': 'from=2026-01-01T05:00:00Z&to=2026-01-02T05:00:00Z',
  'from=2026-11-03&to=2026-11-10': 'from=2026-11-02T23:00:00Z&to=2026-11-09T23:00:00Z',
  'from=2026-11-03T10:15:00Z&to=2026-11-03T11:20:00Z': 'from=2026-11-03T10:00:00Z&to=2026-11-03T12:00:00Z',
  'layer=heat&at=8/9/7&incident=inc_1&min_confidence=0.7&span=all': 'min_confidence=0.7',
  'span=all&box=7.1,9,7.1,9': 'bbox=7.1,9,7.1,9',
}
for (const [address, filter] of Object.entries(FILTERS)) {
  test(`the address "${address}" asks the API for "${filter}"`, () =>
    assert.equal(decodeURIComponent(filterOf(readView(new URLSearchParams(address)), NOW).toString()), filter))
}

test('the path of an incident opens its card', () => {
  assert.equal(readView(new URLSearchParams(), '/incidents/inc_1').incident, 'inc_1')
})

test('a box around one point contains it, however long its decimals', () => {
  const degrees = fc.double({ min: -90, max: 90, noNaN: true })
  fc.assert(
    fc.property(degrees, degrees, (lng, lat) => {
      const [west, south, east, north] = boxText([lng, lat, lng, lat]).split(',').map(Number)
      assert.ok(west! <= lng && lng <= east! && south! <= lat && lat <= north!)
      assert.ok(east! - west! < 3e-6 && north! - south! < 3e-6)
    }),
  )
})

const SQUARE = [
  [7, 10],
  [8, 10],
  [8, 11],
  [7, 11],
] as const
const [a, b, c, d] = SQUARE

const read = (polygon: string) => drawnAreaIn(new URLSearchParams({ polygon }))

test('a drawn area is closed in the address, and read back with each corner once', () => {
  assert.equal(drawnAreaText(SQUARE), '7,10;8,10;8,11;7,11;7,10')
  assert.deepEqual(read(drawnAreaText(SQUARE)), SQUARE)
  assert.deepEqual(read('7,10;8,10;8,11;7,11'), SQUARE)
})

test('what the API would refuse is no area', () => {
  const tooMany = Array.from({ length: 42 }, (_, at) => `${7 + Math.cos(at / 7)},${9 + Math.sin(at / 7)}`).join(';')
  for (const text of ['', 'x', '7,10', '7,10;8,10', '7,10;8,10;7,10', '7,10;8,10;9,10', '7,10;8,10;8,99', tooMany])
    assert.equal(read(text), null, text)
  // Of unlike halves: those of a regular bow tie cancel each other, so that it would enclose
  // nothing anyway.
  assert.equal(read('7,10;8,11;8,10;6,11.5'), null)
  assert.ok(isWhole([a, b, c]) && !isWhole([a, c, b, d]) && !isWhole([a, b]))
})

test('the page of alerts takes the address that the map writes', () => {
  const filter = parseAlertFilter(
    filterInAlertAddress(new URLSearchParams({ polygon: drawnAreaText(SQUARE) })),
    '',
    places,
  )
  assert.ok('value' in filter && filter.value.region !== null)
})

test('an incident that arrives is in the area, or it is not', () => {
  assert.ok(isInArea(SQUARE, 10.5, 7.5) && !isInArea(SQUARE, 7.5, 10.5) && !isInArea(SQUARE, 10.5, 8.5))
})

const CASES = [
  ['2026-11-02T23:00:00Z', '2026-11-09T23:00:00Z', '3–9 November'],
  ['2026-10-17T23:00:00Z', '2026-11-16T23:00:00Z', '18 Oct – 16 Nov'],
  ['2026-11-09T23:00:00Z', '2026-11-16T11:00:00Z', '10–16 November'],
  ['2026-11-15T23:00:00Z', '2026-11-16T23:00:00Z', '16 November'],
  ['2025-11-16T23:00:00Z', '2026-11-22T23:00:00Z', '17 Nov 2025 – 16 Nov 2026'],
  ['2024-12-31T23:00:00Z', '2025-02-28T23:00:00Z', '1 Jan – 28 Feb 2025'],
  ['2026-11-15T09:00:00Z', '2026-11-16T09:00:00Z', 'since 15 November, 10:00'],
  ['2026-11-14T05:00:00Z', '2026-11-14T11:00:00Z', '14 November, 06:00–12:00'],
  ['2026-11-14T17:00:00Z', '2026-11-14T23:00:00Z', '14 November, 18:00–24:00'],
] as const
for (const [from, to, text] of CASES) {
  test(`from ${from} to ${to} is ${text}`, () => assert.equal(windowText({ from, to }, NOW), text))
}

test('no window is all years', () => assert.equal(windowText(null, NOW), 'all years'))

const of = (query: string, box: [number, number, number, number] | null = null, language = 'en') =>
  alertAddress(readView(new URLSearchParams(query)), box, language)

it('the link to alerts is about what the map is restricted to, else about the part that is shown', () => {
  assert.equal(of(''), '/alerts')
  assert.equal(of('span=1y&layer=heat', [7, 10, 8, 11]), '/alerts?box=7,10,8,11')
  assert.equal(of('state=NG-KD&severity=high&span=1y', [7, 10, 8, 11]), '/alerts?state=NG-KD&severity=high')
  assert.equal(of('near=10.5,7.4&radius_km=25', null, 'ha'), '/alerts?near=10.5,7.4&radius_km=25&lang=ha')
  assert.equal(of('road=7.4,10.5;7.5,9.1&buffer_km=5'), '/alerts?road=7.4,10.5;7.5,9.1&buffer_km=5')
  assert.equal(of('polygon=7,10;8,10;8,11;7,10'), '/alerts?polygon=7,10;8,10;8,11;7,10')
})

const NO_SHAPES = { road: null, polygon: null }

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const printed = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\0'")])
  return printed.toString().split('\0').slice(0, -1)
}

test('the copied API call has the filter, with special characters quoted', () => {
  const filter = new URLSearchParams({ state: "NG-KD,it's $(odd) & more", since: '30d' })
  const [url, , header] = argumentsOf(listCommand('https://example.org', filter, NO_SHAPES))
  assert.deepEqual(new URL(url!).searchParams, filter)
  assert.equal(header, 'Authorization: Bearer <key>')
})

test('a watch takes the filter without its time and box', () => {
  const filter = new URLSearchParams({ state: 'NG-KD,NG-LA', min_confidence: '0.7', since: '30d', bbox: '1,2,3,4' })
  const body = JSON.parse(argumentsOf(watchCommand('https://example.org', filter, NO_SHAPES, "Ada's"))[6]!)
  assert.deepEqual(body, {
    name: "Ada's",
    url: 'https://example.org/hooks/incidents',
    filter: { state: ['NG-KD', 'NG-LA'], min_confidence: 0.7 },
  })
})

const road = {
  line: [
    [7.3, 10.5],
    [7.6, 10.7],
  ],
  bufferKm: 5,
} as const
const polygon = [
  [7, 10.3],
  [8, 10.3],
  [8, 10.8],
  [7, 10.8],
] as const
const shapes = { road, polygon }

test('along a road and in a drawn area, the copied call and the watch send them, and the service takes both', async () => {
  await using app = await startTestApp()
  const onTheRoad = anIncident(1, { lat: 10.6, lng: 7.45 })
  await app.publish([onTheRoad, anIncident(2, { lat: 10.9, lng: 7.45 }), anIncident(3, { lat: 10.71, lng: 8.01 })])
  const filter = new URLSearchParams({
    from: '2020-01-01T00:00:00Z',
    near: '10.5,7.4',
    radius_km: '100',
    bbox: '3,4,14,14',
  })
  /** Returns what the command would send. */
  const bodyOf = (command: string, path: string) => {
    const [url, , , , contentType, , body] = argumentsOf(command)
    assert.deepEqual([url, contentType], [app.url + path, 'Content-Type: application/json'])
    return JSON.parse(body!)
  }
  const list = await app.post(
    '/v1/incidents/query',
    bodyOf(listCommand(app.url, filter, shapes), '/v1/incidents/query'),
  )
  assert.equal(list.status, 200, await list.clone().text())
  const { data } = await list.json()
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [onTheRoad.id],
  )
  const watch = bodyOf(watchCommand(app.url, filter, shapes, 'Road'), '/v1/watches')
  assert.deepEqual(watch.filter.route, { line: road.line, buffer_km: 5 })
  assert.deepEqual(watch.filter.polygon, { type: 'Polygon', coordinates: [[...polygon, polygon[0]]] })
  const preview = await app.post('/v1/watches/preview', { filter: watch.filter, days: 30 })
  assert.equal(preview.status, 200, await preview.text())
})
