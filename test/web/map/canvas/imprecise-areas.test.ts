import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImpreciseIncident, mergeIntoAreas } from '../../../../web/map/canvas/imprecise-areas.ts'

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
