import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaOf, type ImpreciseMark } from '../../../../../web/map/canvas/marks/imprecise-areas.ts'
import type { Boundaries } from '../../../../../web/map/canvas/style/labels.ts'

const boundaries = (...codes: string[]): Boundaries => ({
  type: 'FeatureCollection',
  features: codes.map((code) => ({
    type: 'Feature',
    properties: { code, name: code },
    geometry: { type: 'Polygon', coordinates: [] },
  })),
})
const states = boundaries('NG-KD', 'NG-BO')
const giwa: ImpreciseMark = { lat: 11, lng: 7, radiusKm: 20, stateCode: 'NG-KD', lgaCode: 'NG-KD-GIWA' }
const codeOf = (mark: ImpreciseMark, lgas: Boundaries | null) => {
  const area = areaOf(mark, { states, lgas })
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
