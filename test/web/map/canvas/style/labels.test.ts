import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelPoints } from '../../../../../web/map/canvas/style/labels.ts'

test('a state’s name is placed at the centroid of its largest part', () => {
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
