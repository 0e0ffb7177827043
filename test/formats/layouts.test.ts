import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '@placemarkio/check-geojson'
import { geojson } from '../../src/desk/importing/formats/geojson.ts'
import { geojsonFeature } from '../../src/formats/layouts.ts'
import { reasonIn, rowOf, rowsOf } from '../desk/importing/formats/fixtures.ts'
import { anIncident, awkwardIncidents, withoutNestedFields } from '../support/incident.ts'

const collection = (features: readonly string[]) => `{"type":"FeatureCollection","features":[${features.join(',')}]}`

test('a validator that is not ours passes it', () => {
  assert.equal(
    (check(collection(awkwardIncidents().map(geojsonFeature))) as GeoJSON.FeatureCollection).features.length,
    awkwardIncidents().length,
  )
})

test('longitude comes first, and properties hold no objects', () => {
  const { geometry, properties } = JSON.parse(geojsonFeature(anIncident(1))) as GeoJSON.Feature<GeoJSON.Point>
  assert.deepEqual(geometry.coordinates, [7.3391, 10.4512])
  assert.deepEqual([properties!.id, properties!.killed, properties!.injured], [anIncident(1).id, null, 2])
  for (const value of Object.values(properties!)) assert.ok(value === null || typeof value !== 'object')
})

test('our importer reads back what was written', async () => {
  const incidents = awkwardIncidents()
  const rows = await rowsOf(geojson, collection(incidents.map(geojsonFeature)))
  assert.deepEqual(
    rows.map((row) => (row.kind === 'incident' ? row.incident : row)),
    incidents.map(withoutNestedFields),
  )
})

test('our importer refuses a flat feature with a property too many', async () => {
  const strange = geojsonFeature(anIncident(1)).replace('"place":', '"colour":"red","place":')
  assert.match(reasonIn(await rowOf(geojson, collection([strange]))), /colour is not a field/)
})
