import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Area as SavedArea, Watch, WatchFilter } from '../../client/src/generated/types.ts'
import {
  areaBox,
  areaFeatures,
  areaMembers,
  areaOf,
  areaOfFeature,
  pointsText,
  readPoints,
  shapeMember,
  shapeOf,
  shapeText,
} from '../../web/console/places/area.ts'
import { EMPTY_TAIL, followStream, setPaused, type TailEvent, tail, withEvent } from '../../web/console/tail.ts'
import { conditionLabel, incidentIdIn, valueText } from '../../web/console/watches/explanation.ts'
import { filterOf, filterText, formOf } from '../../web/console/watches/filter-form.ts'
import {
  AT_ONCE,
  headersOf,
  newRow,
  rowsOf,
  scheduleFormOf,
  scheduleMembers,
  scheduleText,
} from '../../web/console/watches/watch.ts'
import { circleAround } from '../../web/shared/ground/circle.ts'

const written = (name: string, value: string) => ({ ...newRow(name), value })

test('headers are what was written; empty rows are left out', () => {
  assert.deepEqual(headersOf([]), {})
  assert.deepEqual(headersOf([written(' X-Token ', 'a b'), newRow(), written('__proto__', 'c')]), {
    'X-Token': 'a b',
    ['__proto__']: 'c',
  })
})

test('a stored value stays unless another is written', () => {
  const [token, team] = rowsOf({ 'X-Token': '***', 'X-Team': '***' })
  assert.deepEqual(headersOf([token!, { ...team!, value: 'roads' }]), { 'X-Token': '***', 'X-Team': 'roads' })
  assert.deepEqual(headersOf([team!]), { 'X-Team': '***' })
})

test('a row that cannot be sent is said in words', () => {
  assert.throws(() => headersOf([written('', 'value')]), /has a value but no name/)
  assert.throws(() => headersOf([written('X-Token', '')]), /X-Token has no value/)
  assert.throws(() => headersOf([...rowsOf({ 'X-Token': '***' }), written('x-token', 'b')]), /x-token is there twice/)
})

const none = { every: 'none', hour: null, break_severity: null } as const
const shown: readonly Pick<Watch, 'digest' | 'quiet_hours'>[] = [
  { digest: none, quiet_hours: null },
  { digest: { every: 'hourly', hour: null, break_severity: 'high' }, quiet_hours: null },
  {
    digest: { every: 'daily', hour: 18, break_severity: null },
    quiet_hours: { from: '23:15', until: '05:00', break_severity: null },
  },
]

test('a schedule that is opened and saved unchanged stays as it is', () => {
  assert.deepEqual(
    shown.map((each) => scheduleMembers(scheduleFormOf(each))),
    [
      { digest: { every: 'none' }, quiet_hours: null },
      { digest: { every: 'hourly', break_severity: 'high' }, quiet_hours: null },
      {
        digest: { every: 'daily', hour: 18, break_severity: null },
        quiet_hours: { from: '23:15', until: '05:00', break_severity: null },
      },
    ],
  )
})

test('a new watch sends at once; grave incidents do not wait unless one says so', () => {
  assert.deepEqual(scheduleMembers(AT_ONCE), { digest: { every: 'none' }, quiet_hours: null })
  assert.deepEqual(scheduleMembers({ ...AT_ONCE, every: 'daily', isQuiet: true }), {
    digest: { every: 'daily', hour: 7, break_severity: 'critical' },
    quiet_hours: { from: '22:00', until: '06:00', break_severity: 'critical' },
  })
})

test('a schedule is told in a sentence', () => {
  assert.deepEqual(shown.map(scheduleText), [
    null,
    'Every hour (Lagos).',
    'Once a day at 18:00, quiet from 23:15 to 05:00 (Lagos).',
  ])
})

test('an id is found in the address of an incident, and other text stays for the service to refuse', () => {
  const id = 'inc_01jd8z0c5xq3v7m2k9h4t6w8ra'
  for (const text of [id, ` ${id}\n`, `https://feed.example/incidents/${id}?lang=ha#map`]) {
    assert.equal(incidentIdIn(text), id)
  }
  assert.equal(incidentIdIn(' Kaduna '), 'Kaduna')
  assert.equal(incidentIdIn('  '), '')
})

test('conditions and their values are put into words', () => {
  assert.equal(conditionLabel('lga'), 'LGA')
  assert.equal(conditionLabel('occurred_from'), 'occurred_from')
  assert.equal(valueText('type', ['kidnapping', 'protest']), 'Kidnapping or Protest')
  assert.equal(valueText('state', ['Kaduna']), 'Kaduna')
  assert.equal(valueText('lga', null), 'nothing')
  assert.equal(valueText('min_confidence', 0.5), '0.5')
  assert.equal(valueText('bbox', [3, 6, 4, 7]), 'latitude 6 to 7, longitude 3 to 4')
  assert.equal(valueText('near', { lat: 10.5, lng: 7.4, radius_km: 25 }), 'within 25 km of 10.5, 7.4')
  assert.equal(valueText('polygon', { lat: 10.5, lng: 7.4 }), '10.5, 7.4')
  assert.equal(valueText('later', { any: 1 }), '{"any":1}')
})

function event(seq: number): TailEvent {
  return { seq, position: `${seq}.AAAAAAAAAAA`, event: 'incident.created', incident: null, text: '{}', at: seq }
}

const seqs = (events: readonly TailEvent[]) => events.map(({ seq }) => seq)

test('the newest event comes first, and 200 are kept', () => {
  let state = EMPTY_TAIL
  for (let seq = 1; seq <= 250; seq++) state = withEvent(state, event(seq))
  assert.equal(state.events.length, 200)
  assert.equal(state.events[0]!.seq, 250)
})

test('what comes during a pause waits, and is shown in order afterwards', () => {
  let state = setPaused(withEvent(EMPTY_TAIL, event(1)), true)
  state = withEvent(withEvent(state, event(2)), event(3))
  assert.deepEqual(seqs(state.events), [1])
  assert.deepEqual(seqs(state.waiting), [3, 2])
  state = setPaused(state, false)
  assert.deepEqual(seqs(state.events), [3, 2, 1])
  assert.deepEqual(state.waiting, [])
})

/** The browser's, without a connection. */
class TestEventSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: TestEventSource[] = []
  readonly url: string
  readyState = 0
  constructor(url: string) {
    super()
    this.url = url
    TestEventSource.opened.push(this)
  }
  fail(readyState: number): void {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }
  close(): void {
    this.readyState = TestEventSource.CLOSED
  }
}

test('a stream that the browser gives up is opened anew, without a position, and the reader is told', (context) => {
  Object.assign(globalThis, { EventSource: TestEventSource })
  context.after(() => Reflect.deleteProperty(globalThis, 'EventSource'))
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const { opened } = TestEventSource
  const stop = followStream({ state: 'Kaduna' })
  opened[0]!.fail(TestEventSource.CLOSED)
  mock.timers.tick(5000)
  assert.deepEqual([opened.length, tail.get().connection, tail.get().hasGap], [2, 'lost', false])
  opened[1]!.dispatchEvent(new Event('open'))
  const data = JSON.stringify({ seq: 7, position: '7.AAAAAAAAAAA', incident: null })
  opened[1]!.dispatchEvent(new MessageEvent('incident.retracted', { data }))
  assert.deepEqual([tail.get().events[0]!.seq, tail.get().events[0]!.position], [7, '7.AAAAAAAAAAA'])

  opened[1]!.fail(0)
  mock.timers.tick(60_000)
  assert.deepEqual([opened.length, tail.get().hasGap], [2, false], 'the browser reconnects by itself')
  opened[1]!.fail(TestEventSource.CLOSED)
  mock.timers.tick(5000)
  assert.deepEqual([opened.length, tail.get().connection, tail.get().hasGap], [3, 'lost', true])
  opened[2]!.dispatchEvent(new Event('open'))
  assert.deepEqual([tail.get().connection, tail.get().hasGap], ['open', true])
  assert.deepEqual(new Set(opened.map(({ url }) => url)), new Set(['/v1/stream?state=Kaduna']))

  opened[2]!.fail(TestEventSource.CLOSED)
  stop()
  mock.timers.tick(60_000)
  assert.equal(opened.length, 3, 'a view that was left opens nothing')
})

const SQUARE = [
  [7, 10],
  [8, 10],
  [8, 11],
  [7, 11],
]

test('a filter read into the form and written again is the same', () => {
  const closed = { type: 'Polygon', coordinates: [[...SQUARE, SQUARE[0]]] }
  for (const filter of [
    {},
    { state: ['Kaduna'], min_severity: 'high', polygon: closed },
    { near: '10.5,7.4', radius_km: '25', type: ['kidnapping'] },
    {
      route: {
        line: [
          [7, 10],
          [8, 11],
        ],
        buffer_km: 3,
      },
      min_confidence: '0.35',
    },
    // The form keeps what it cannot draw or has no field for.
    { polygon: { type: 'MultiPolygon', coordinates: [[[...SQUARE, SQUARE[0]]]] } },
    { bbox: '7,10,8,11', severity: ['low'], max_confidence: 0.5 },
  ])
    assert.deepEqual(filterOf(formOf(filter as WatchFilter)), filter)
})

test('a single value of a list is taken too', () => {
  assert.deepEqual(filterOf(formOf({ state: 'Kaduna,FCT' })), { state: ['Kaduna', 'FCT'] })
})

test('a drawn circle becomes its middle and its radius', () => {
  const area = areaOfFeature('circle', circleAround(10.5, 7.4, 40))
  assert.deepEqual(area, { kind: 'circle', centre: [7.4, 10.5], radiusKm: 40 })
  assert.deepEqual(areaMembers(area), { near: '10.5,7.4', radius_km: '40' })
  const country = areaOfFeature('circle', circleAround(9, 8, 900))
  assert.equal(country.kind === 'circle' && country.radiusKm, 500)
})

test('a drawn area keeps its corners, to the metre, without the closing one', () => {
  const feature = {
    type: 'Feature',
    properties: {},
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [7.123456789, 10],
          [8, 10],
          [8, 11],
          [7.123456789, 10],
        ],
      ],
    },
  } as const
  assert.deepEqual(areaOfFeature('polygon', structuredClone(feature) as never), {
    kind: 'polygon',
    points: [
      [7.12346, 10],
      [8, 10],
      [8, 11],
    ],
  })
})

test('points are read as latitude and longitude, and a wrong line is named', () => {
  assert.deepEqual(readPoints(pointsText(SQUARE)), { points: SQUARE })
  assert.deepEqual(readPoints('10.5 7.4\n\n 11;8 '), {
    points: [
      [7.4, 10.5],
      [8, 11],
    ],
  })
  for (const line of ['Kaduna', '10.5', '91, 7', '10, 181', '10, 7, 3', '10,'])
    assert.match((readPoints(`10, 7\n${line}`) as { problem: string }).problem, /^Line 2 /, line)
})

test('a filter is said in words', () => {
  assert.equal(filterText(formOf({})), 'Every incident')
  const text = filterText(
    formOf({ category: ['abduction'], min_severity: 'high', state: ['Kaduna'], near: '1,2', radius_km: 5 }),
  )
  assert.equal(text, 'Abduction · high or worse · Kaduna · within 5 km of a point')
  assert.deepEqual(areaOf({}), { kind: 'anywhere' })
})

const RING = [
  [7, 10],
  [8, 10],
  [8, 11],
  [7, 10],
]
const saved = (shape: Partial<SavedArea>): SavedArea => ({
  id: 'are_1',
  name: 'Depot',
  kind: 'polygon',
  watches: 0,
  created_at: '2026-11-16T00:00:00Z',
  updated_at: '2026-11-16T00:00:00Z',
  ...shape,
})
const SHAPES: readonly Partial<SavedArea>[] = [
  { polygon: { type: 'Polygon', coordinates: [RING] } },
  { polygon: { type: 'MultiPolygon', coordinates: [[RING]] } },
  { route: { line: RING.slice(0, 2), buffer_km: 3 } },
  { circle: { lat: 10, lng: 7, radius_km: 25 } },
]

test('an area read into the form and written again is the same', () => {
  for (const shape of SHAPES) assert.deepEqual(shapeMember(shapeOf(saved(shape))), shape)
})

test('every shape is on the map, those that cannot be drawn too', () => {
  for (const shape of SHAPES) {
    const area = shapeOf(saved(shape))
    assert.equal(areaFeatures(area).features.length, 1)
    const [west, south, east, north] = areaBox(area)!
    assert.ok(west <= 7 && south <= 10 && east >= 7 && north >= 10, JSON.stringify(shape))
  }
  assert.equal(shapeMember(shapeOf(saved({}))), null)
})

test('a shape is said in words', () => {
  const words = SHAPES.map((shape) => shapeText(shapeOf(saved(shape))))
  assert.deepEqual(words, [
    'An area with 3 corners',
    'An area with holes or several parts',
    '3 km on both sides of a road of 2 points',
    '25 km around a point',
  ])
})

test('a watch in a saved area keeps it', () => {
  const form = formOf({ area: 'are_1', state: ['Kaduna'] })
  assert.deepEqual(form.area, { kind: 'saved', id: 'are_1' })
  assert.deepEqual(filterOf(form), { area: 'are_1', state: ['Kaduna'] })
  assert.equal(filterText(form), 'Kaduna · in a saved area')
})
