import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImpreciseIncident, mergeIntoAreas } from '../../../../web/map/canvas/imprecise-areas.ts'
import { labelPoints } from '../../../../web/map/canvas/style/labels.ts'

const imprecise = (id: string, changes: Partial<ImpreciseIncident> = {}): ImpreciseIncident => ({
  id,
  severity: 'medium',
  precision: 'lga',
  radiusKm: 20,
  state: 'NG-KD',
  lga: 'NG-KD-GIWA',
  stateName: 'Kaduna',
  lgaName: 'Giwa',
  lat: 11,
  lng: 7,
  ...changes,
})

test('incidents known only to the same LGA share one area with the highest severity and largest radius', () => {
  const { features } = mergeIntoAreas([
    imprecise('a'),
    imprecise('b', { severity: 'critical', radiusKm: 30, lat: 11.2 }),
    imprecise('a'),
    imprecise('c', { precision: 'state', radiusKm: 150 }),
  ])
  const areas = features.filter(({ geometry }) => geometry.type === 'Polygon').map(({ properties }) => properties!)
  assert.deepEqual(
    areas.map(({ name, count, severity, id }) => [name, count, severity, id]),
    [
      ['Kaduna', 1, 'medium', 'c'],
      ['Giwa', 2, 'critical', undefined],
    ],
  )
})

test('a state’s name stands in the middle of its largest part', () => {
  const square = (west: number, size: number) => [
    [
      [west, 0],
      [west + size, 0],
      [west + size, size],
      [west, size],
      [west, 0],
    ],
  ]
  const { features } = labelPoints({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { code: 'NG-FC', name: 'Federal Capital Territory' },
        geometry: { type: 'MultiPolygon', coordinates: [square(0, 1), square(10, 4)] },
      },
    ],
  })
  assert.deepEqual(features[0]!.geometry.coordinates, [12, 2])
  assert.equal(features[0]!.properties!.name, 'FCT')
})
