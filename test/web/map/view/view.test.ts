import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEVERITIES, TYPE_NAMES } from '../../../../src/domain/taxonomy.ts'
import { fitWindow, MAP_PERIOD_NAMES } from '../../../../src/filter/map-periods.ts'
import { boxText, filterOf, LAYERS, readView, type View, writeView } from '../../../../web/map/view/view.ts'
import fc from '../../../support/fast-check.ts'

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
