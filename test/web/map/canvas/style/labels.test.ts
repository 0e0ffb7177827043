import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it, test } from 'node:test'
import type { Position } from 'geojson'
import { isInRing } from '../../../../../src/lib/rings.ts'
import {
  type Boundaries,
  LINE_HEIGHT,
  labelPoints,
  nameSizeAt,
  ROOM_EMS,
  toWorld,
} from '../../../../../web/map/canvas/style/labels.ts'

const states = JSON.parse(
  readFileSync(new URL('../../../../../src/geo/data/states.geojson', import.meta.url), 'utf8'),
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
