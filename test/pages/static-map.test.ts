import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statesGeoJson } from '../../src/geo/boundaries.ts'
import { fitBox, labelPosition, readStateShapes } from '../../src/pages/projection.ts'
import { IMAGE_PALETTE, StaticMap } from '../../src/pages/static-map.ts'

const map = new StaticMap(statesGeoJson())
const content = { marks: [], outlined: [], palette: IMAGE_PALETTE }

test('a box is in the middle of the picture, and all of it is shown', () => {
  const box = { west: 3, south: 4, east: 14, north: 13 }
  const projection = fitBox(box, 600, 630)
  for (const [lng, lat] of [
    [3, 4],
    [14, 13],
  ] as const) {
    const [x, y] = projection.at(lng, lat)
    assert.ok(x >= 0 && x <= 600 && y >= 0 && y <= 630, `${x} ${y}`)
  }
  assert.ok(projection.shown.west <= 3 && projection.shown.north >= 13)
})

test('a box without extent still has a map, at a zoom that shows what is around', () => {
  const { markZoom, at } = fitBox({ west: 7, south: 9, east: 7, north: 9 }, 600, 630)
  assert.equal(markZoom, 9)
  assert.deepEqual(at(7, 9), [300, 315])
})

test('a box up to the poles shows the whole world', () => {
  const projection = fitBox({ west: -180, south: -90, east: 180, north: 90 }, 720, 520)
  const { west, east, south, north } = projection.shown
  assert.ok(west <= -180 && east >= 180 && south <= -85 && north >= 85, JSON.stringify(projection.shown))
  assert.equal(projection.markZoom, 0)
  const { text } = map.draw(projection, content)
  assert.equal(text.match(/<path d="M/g)?.length, 37)
  assert.doesNotMatch(text, /NaN|Infinity/)
})

test('all states are drawn; a part of the country draws only those that it shows', () => {
  const all = map.draw(fitBox(map.boxOfStates([]), 600, 630), content).text
  const lagos = map.draw(fitBox(map.boxOfStates(['NG-LA']), 600, 630), { ...content, outlined: ['NG-LA'] }).text
  assert.equal(all.match(/<path/g)?.length, 37)
  assert.ok(lagos.match(/<path/g)!.length < 8)
  assert.match(lagos, /stroke="#0b6b58"/)
  assert.doesNotMatch(all + lagos, /NaN|undefined/)
})

test('the name of a state is inside it', () => {
  for (const shape of readStateShapes(statesGeoJson())) {
    const position = labelPosition(shape)
    if (position === null) continue
    const { west, east, south, north } = shape.box
    assert.ok(position[0] > west && position[0] < east && position[1] > south && position[1] < north, shape.name)
  }
})
