import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAlertFilter } from '../../../../src/filter/live-filters.ts'
import { places } from '../../../../src/geo/places.ts'
import { filterInAlertAddress } from '../../../../src/pages/alerts-page.ts'
import { drawnAreaIn, drawnAreaText, isInArea, isWhole } from '../../../../web/map/view/drawn-area.ts'

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
