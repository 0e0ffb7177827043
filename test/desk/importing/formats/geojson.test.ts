import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_MAPPING } from '../../../../src/desk/importing/formats/format.ts'
import { geojson } from '../../../../src/desk/importing/formats/geojson.ts'
import { anIncident } from '../../../support/incident.ts'
import {
  collectionOf,
  featureOf,
  foreignFeature,
  incidents,
  outcomes,
  reasonIn,
  reportIn,
  rowOf,
  rowsOf,
} from './fixtures.ts'

const incidentsIn = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map((row) => (row.kind === 'incident' ? row.incident : row))

test('exported features are read back as identical incidents', async () => {
  const all = incidents(5)
  const features = all.map(featureOf)
  const texts = [
    collectionOf(features),
    JSON.stringify({ features, type: 'FeatureCollection' }, null, 2),
    features.map((feature) => `${JSON.stringify(feature)}\n`).join(''),
    features.map((feature) => `\u001e${JSON.stringify(feature, null, 2)}\n`).join(''),
    JSON.stringify(features),
    `${collectionOf(features.slice(0, 2))}\n${collectionOf([])}${collectionOf(features.slice(2))}\n`,
  ]
  for (const text of texts) assert.equal(JSON.stringify(incidentsIn(await rowsOf(geojson, text))), JSON.stringify(all))
})

test('the id and the point may be repeated in the properties, if they agree', async () => {
  const incident = anIncident(1)
  const feature = { ...featureOf(incident), properties: incident }
  assert.deepEqual(incidentsIn(await rowsOf(geojson, JSON.stringify(feature))), [incident])
  const reason = reasonIn(await rowOf(geojson, JSON.stringify({ ...feature, properties: { ...incident, lat: 9 } })))
  assert.equal(reason, 'lat is 10.4512 in the feature and 9 in its properties')
})

test('a feature with an unknown field is rejected', async () => {
  const feature = featureOf({ ...anIncident(1), note: 'x' } as ReturnType<typeof anIncident>)
  assert.equal(reasonIn(await rowOf(geojson, JSON.stringify(feature))), 'note is not a field of an incident')
})

test('points of other publishers become reports', async () => {
  const { sourceId, report } = reportIn(await rowOf(geojson, collectionOf([foreignFeature({ killed: 2, lga: null })])))
  assert.equal(sourceId, 'acme:17')
  assert.deepEqual([report.lat, report.lng, report.casualties.killed], [10.45, 7.33, 2])
})

test('unknown properties are mapped, ignored, or rejected', async () => {
  const text = JSON.stringify({ ...foreignFeature({ source_id: null, dead: 2, extra: { a: 1 } }), id: 5 })
  assert.match(reasonIn(await rowOf(geojson, text)), /property "dead" is not known: .*--map "dead=/)
  const map = new Map([['dead', 'killed']])
  assert.match(
    reasonIn(await rowOf(geojson, text, { mapping: { ...NO_MAPPING, columns: map } })),
    /"extra" is not known/,
  )
  map.set('*', '-')
  const { sourceId, report } = reportIn(await rowOf(geojson, text, { mapping: { ...NO_MAPPING, columns: map } }))
  assert.deepEqual([sourceId, report.casualties.killed], ['geojson:5', 2])
})

test('a malformed feature does not affect the others', async () => {
  const [one, two, three] = ['acme:1', 'acme:2', 'acme:3'].map((source_id) =>
    JSON.stringify(foreignFeature({ source_id })),
  )
  const faults = [two!.slice(0, -1), two!.replace('"type":"k', '"type":"k"'), `${two}}`, two!.replace('"acme', 'acme')]
  for (const fault of faults) {
    const rows = outcomes(await rowsOf(geojson, `{"type":"FeatureCollection","features":[${one},${fault},\n${three}]}`))
    assert.equal(rows[0], '1 acme:1')
    assert.match(rows.at(-1)!, / acme:3$/)
    assert.ok(rows.some((row) => row.includes('rejected')))
  }
})

test('reading from a checkpoint needs a complete position', () => {
  assert.throws(() => geojson.read(async function* () {}, { now: 0, after: { row: 1, offset: 10 } }), /within/)
})
