import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it, test } from 'node:test'
import { expression } from '@maplibre/maplibre-gl-style-spec'
import type { Position } from 'geojson'
import type { ExpressionSpecification } from 'maplibre-gl'
import { isInRing } from '../../src/lib/rings.ts'
import { shortCount } from '../../src/pages/marks.ts'
import { COUNT_TEXT, heatWeight, IS_BADGE, IS_CLUSTER, IS_DOT, recencyOf } from '../../web/map/canvas/layers/marks.ts'
import { loadsAtOnce } from '../../web/map/canvas/loading/load-policy.ts'
import { areaOf, type ImpreciseMark } from '../../web/map/canvas/mark.ts'
import {
  type Boundaries,
  LINE_HEIGHT,
  labelPoints,
  nameSizeAt,
  ROOM_EMS,
  toWorld,
} from '../../web/map/canvas/style/labels.ts'
import { recencyWindowOf } from '../../web/map/canvas/style/style-options.ts'
import { CLASS_COLOURS, classColours, classOf, stateClasses } from '../../web/map/state-classes.ts'
import fc from '../support/fast-check.ts'

const evaluate = (given: ExpressionSpecification | string, properties: Record<string, unknown>) => {
  const created = expression.createExpression(given, 'layers[0].filter')
  assert.equal(created.result, 'success')
  return created.result === 'success' && created.value.evaluate({ zoom: 5 }, { type: 1, properties } as never)
}

test('each feature of a tile is drawn as a dot, a cluster or a badge, never as two', () => {
  const kindsOf = (properties: Record<string, unknown>) =>
    Object.entries({ dot: IS_DOT, cluster: IS_CLUSTER, badge: IS_BADGE })
      .filter(([, filter]) => evaluate(filter, properties))
      .map(([kind]) => kind)
  const area = { state_code: 'NG-BO' }
  assert.deepEqual(kindsOf({ id: 'inc_1', precision: 'settlement', ...area }), ['dot'])
  assert.deepEqual(kindsOf({ id: 'inc_1', precision: 'state', ...area }), ['badge'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 0, ...area }), ['cluster'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 2, ...area }), ['cluster'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 3, ...area }), ['badge'])
  assert.deepEqual(kindsOf({ count: 3, imprecise: 3 }), ['cluster'])
})

test('a count has at most four characters', () => {
  const texts = [1, 384, 999, 1000, 1249, 9949, 9950, 999_499, 999_500, 1_300_000, 12_000_000]
  assert.deepEqual(
    texts.map((count) => evaluate(COUNT_TEXT, { count })),
    ['1', '384', '999', '1k', '1.2k', '9.9k', '10k', '999k', '1M', '1.3M', '12M'],
  )
  assert.equal(evaluate(COUNT_TEXT, { id: 'inc_1' }), '1')
})

test('the server’s maps write a count as the tiles do', () => {
  for (const edge of [1, 384, 1000, 1250, 9950, 10_000, 99_500, 999_500, 1_000_000, 1_250_000, 9_950_000])
    for (const count of [edge - 1, edge, edge + 1])
      assert.equal(shortCount(count), evaluate(COUNT_TEXT, { count }), String(count))
})

test('heat is linear in the count: a hundred incidents weigh as much in one mark as in a hundred', () => {
  const weightOf = (properties: Record<string, unknown>) => Number(evaluate(heatWeight(500), properties))
  assert.ok(Math.abs(weightOf({ count: 100 }) - 100 * weightOf({ id: 'inc_1' })) < 1e-12)
})

test('a mark is the quieter the older its newest incident is, relative to the window', () => {
  const recency = recencyOf({ from: 1000, to: 2000 })
  const of = (properties: Record<string, unknown>) => evaluate(recency, properties)
  assert.deepEqual([of({ occurred_at: 500 }), of({ occurred_at: 1500 }), of({ occurred_at: 1900 })], ['0', '1', '2'])
  assert.equal(of({ newest_occurred_at: 1900 }), '2')
  assert.equal(recencyOf(null), '2')
})

const boundaries = (...codes: string[]): Boundaries => ({
  type: 'FeatureCollection',
  features: codes.map((code) => ({
    type: 'Feature',
    properties: { code, name: code },
    geometry: { type: 'Polygon', coordinates: [] },
  })),
})
const twoStates = boundaries('NG-KD', 'NG-BO')
const giwa: ImpreciseMark = { lat: 11, lng: 7, radiusKm: 20, stateCode: 'NG-KD', lgaCode: 'NG-KD-GIWA' }
const codeOf = (mark: ImpreciseMark, lgas: Boundaries | null) => {
  const area = areaOf(mark, { states: twoStates, lgas })
  return area && (area.properties?.code ?? 'circle')
}

test('the area of an imprecise incident is its LGA, its state, or a circle of its radius', () => {
  const lgas = boundaries('NG-KD-GIWA')
  assert.equal(codeOf(giwa, lgas), 'NG-KD-GIWA')
  assert.equal(codeOf(giwa, null), 'circle')
  assert.equal(codeOf({ ...giwa, radiusKm: null }, null), 'NG-KD')
  assert.equal(codeOf({ ...giwa, lgaCode: null }, lgas), 'NG-KD')
  assert.equal(codeOf({ ...giwa, stateCode: 'NG-XX', lgaCode: null }, lgas), 'circle')
  assert.equal(codeOf({ ...giwa, stateCode: 'NG-XX', lgaCode: null, radiusKm: null }, lgas), null)
})

const window = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
const seconds = (text: string) => Date.parse(text) / 1000

test('ages are relative to the window, which ends now at the latest; without one all are alike', () => {
  const now = Date.parse('2026-01-20T12:00:00Z')
  assert.deepEqual(recencyWindowOf({ window }, now), { from: seconds(window.from), to: now / 1000 })
  assert.deepEqual(recencyWindowOf({ window }, now * 2), { from: seconds(window.from), to: seconds(window.to) })
  assert.equal(recencyWindowOf({ window: null }, now), null)
  assert.equal(recencyWindowOf({ window }, 0), null)
})

const states = JSON.parse(
  readFileSync(new URL('../../src/geo/data/states.geojson', import.meta.url), 'utf8'),
) as Boundaries
/** Wider than the letters of every system font, on average. */
const measure = (text: string) => text.length * 0.62

/** The corners and edges of the text's box at a zoom, in the world's units. */
function boxPoints(at: Position, text: string, zoom: number, movable: boolean): Position[] {
  const lines = text.split('\n')
  const em = nameSizeAt(zoom) / (512 * 2 ** zoom)
  const width = Math.max(...lines.map(measure)) * em
  const textHeight = lines.length * LINE_HEIGHT
  const height = (movable ? 2 * (textHeight + ROOM_EMS) : textHeight) * em
  const [x, y] = toWorld(at) as [number, number]
  const steps = Array.from({ length: 21 }, (_, step) => step / 20 - 0.5)
  return steps.flatMap((step): Position[] => [
    [x + step * width, y - height / 2],
    [x + step * width, y + height / 2],
    [x - width / 2, y + step * height],
    [x + width / 2, y + step * height],
  ])
}

function isInState(code: string, [x, y]: Position): boolean {
  const { geometry } = states.features.find(({ properties }) => properties.code === code)!
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return parts.some(([ring]) => isInRing(Float64Array.from(ring!.flatMap(toWorld)), y!, x!))
}

for (const [what, countOf] of [
  ['name', () => null],
  ['name with its count', () => '1,234'],
] as const) {
  describe(`the ${what} of each state lies inside the state, wherever it is shown`, () => {
    const { features } = labelPoints(states, measure, countOf)
    for (const { properties } of states.features) {
      it(properties.name, () => {
        const own = features.filter((each) => each.properties.code === properties.code)
        assert.ok(own.length > 0 && own.every(({ properties }) => properties.fromZoom < 10), 'it is shown by zoom 10')
        for (const { geometry, properties } of own) {
          const { code, text, fromZoom, toZoom, movable } = properties
          for (const zoom of [fromZoom, fromZoom + 0.5, Math.min(toZoom, fromZoom + 3)]) {
            const outside = boxPoints(geometry.coordinates, text, zoom, movable).filter(
              (each) => !isInState(code, each),
            )
            assert.deepEqual(outside, [], `at zoom ${zoom}`)
          }
        }
      })
    }
  })
}

test('large states have their names first, the smallest at higher zooms, each once', () => {
  const { features } = labelPoints(states, measure)
  const first = (code: string) =>
    Math.min(
      ...features.filter(({ properties }) => properties.code === code).map(({ properties }) => properties.fromZoom),
    )
  assert.ok(first('NG-BO') <= 5 && first('NG-NI') <= 5, 'Borno and Niger are named at zoom 5')
  assert.ok(first('NG-LA') > first('NG-NI') && first('NG-AN') > first('NG-BO'))
  for (let zoom = 3.5; zoom < 14; zoom += 0.25) {
    const shown = features.filter(({ properties: { fromZoom, toZoom } }) => fromZoom <= zoom && zoom < toZoom)
    assert.equal(new Set(shown.map(({ properties }) => properties.code)).size, shown.length)
  }
})

test('a name of two words is broken where it is then shown earlier', () => {
  const { features } = labelPoints(states, measure)
  const texts = new Set(features.map(({ properties }) => properties.text))
  assert.ok(texts.has('Akwa\nIbom') || texts.has('Cross\nRiver'), [...texts].join(', '))
  assert.ok(texts.has('FCT'))
})

test('every state with incidents is in one of at most five classes, which follow one another', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { maxLength: 37 }), (counts) => {
      const classes = stateClasses(counts)
      assert.ok(classes.length <= 5)
      for (const [index, { from, to }] of classes.entries()) {
        assert.ok(from <= to)
        if (index > 0) assert.equal(from, classes[index - 1]!.to + 1)
      }
      for (const count of counts) assert.equal(classOf(count, classes) === null, count === 0)
    }),
  )
})

test('one extreme state does not leave the others in one class', () => {
  const counts = [...Array.from({ length: 36 }, (_, index) => 5 + index * 3), 2224]
  const classes = stateClasses(counts)
  assert.equal(classes.length, 5)
  const inFirst = counts.filter((count) => classOf(count, classes) === 0).length
  assert.ok(inFirst < 12, `${inFirst} of 37 in the first class`)
  assert.deepEqual(
    classes.map(({ from }) => from),
    [5, 25, 45, 70, 90],
  )
})

/** Relative luminance is close enough to the sum of the channels for a ramp of one hue. */
const lightness = (colour: string) =>
  [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(colour.slice(at, at + 2), 16), 0)

test('more is darker in the light theme and brighter in the dark one, and never green', () => {
  for (const [theme, sign] of [
    ['light', -1],
    ['dark', 1],
  ] as const) {
    for (const [index, colour] of CLASS_COLOURS[theme].entries()) {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
      assert.ok(green! < Math.max(red!, blue!), colour)
      if (index > 0) assert.ok(sign * (lightness(colour) - lightness(CLASS_COLOURS[theme][index - 1]!)) > 60, colour)
    }
  }
  assert.deepEqual(classColours('light', 2), [CLASS_COLOURS.light[0], CLASS_COLOURS.light[4]])
})

test('the map library is loaded at once only on a wide screen with a fast line', () => {
  for (const [connection, smallScreen, expected] of [
    [undefined, false, true],
    [undefined, true, false],
    [{ effectiveType: '4g', saveData: false }, false, true],
    [{ effectiveType: '4g', saveData: false }, true, false],
    [{ effectiveType: '4g', saveData: true }, false, false],
    [{ effectiveType: '3g' }, false, false],
    [{ effectiveType: '2g' }, false, false],
    [{ effectiveType: 'slow-2g' }, false, false],
  ] as const)
    assert.equal(loadsAtOnce(connection, smallScreen), expected, JSON.stringify([connection, smallScreen]))
})
