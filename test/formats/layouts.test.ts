import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '@placemarkio/check-geojson'
import { parse } from 'csv-parse/sync'
import { csv } from '../../src/desk/importing/formats/csv.ts'
import { geojson } from '../../src/desk/importing/formats/geojson.ts'
import { type Incident, orderIncidentFields } from '../../src/domain/incident.ts'
import {
  CSV_HEADER,
  csvRecord,
  csvRecordFromJson,
  escapeFormula,
  flattenIncident,
  unescapeFormula,
} from '../../src/formats/csv.ts'
import { geojsonFeature } from '../../src/formats/layouts.ts'
import { reasonIn, rowOf, rowsOf } from '../desk/importing/formats/fixtures.ts'
import fc from '../support/fast-check.ts'
import { anIncident, awkwardIncidents, withoutNestedFields } from '../support/incident.ts'
import { tries } from '../support/tier.ts'

const collection = (features: readonly string[]) => `{"type":"FeatureCollection","features":[${features.join(',')}]}`

test('a validator that is not ours passes the GeoJSON', () => {
  assert.equal(
    (check(collection(awkwardIncidents().map(geojsonFeature))) as GeoJSON.FeatureCollection).features.length,
    awkwardIncidents().length,
  )
})

test('longitude comes first in GeoJSON, and properties hold no objects', () => {
  const { geometry, properties } = JSON.parse(geojsonFeature(anIncident(1))) as GeoJSON.Feature<GeoJSON.Point>
  assert.deepEqual(geometry.coordinates, [7.3391, 10.4512])
  assert.deepEqual([properties!.id, properties!.killed, properties!.injured], [anIncident(1).id, null, 2])
  for (const value of Object.values(properties!)) assert.ok(value === null || typeof value !== 'object')
})

test('our importer reads back the GeoJSON that was written', async () => {
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

const file = (incidents: readonly Incident[]) => [CSV_HEADER, ...incidents.map(csvRecord), ''].join('\r\n')

test('a reader that is not ours reads the CSV that was written', () => {
  const incidents = awkwardIncidents()
  const records: Record<string, string>[] = parse(file(incidents), { columns: true, record_delimiter: '\r\n' })
  const flat = incidents.map((incident) =>
    Object.fromEntries(Object.entries(flattenIncident(incident)).map(([name, value]) => [name, String(value ?? '')])),
  )
  const read = records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, unescapeFormula(value)])),
  )
  assert.deepEqual(read, flat)
})

test('no cell of text begins a formula, and a number stays one', () => {
  const [record] = parse(csvRecord(anIncident(1, { summary: '=1+1', lat: -1 }))) as string[][]
  assert.ok(record!.includes("'=1+1"))
  assert.ok(record!.includes('-1'))
})

test('our importer reads back the CSV that was written, whatever the text', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((any) => any === any.trim() && !any.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), async (texts) => {
      const incidents = texts.map(([summary, place], index) => {
        const incident = anIncident(index, { summary })
        return { ...incident, location: { ...incident.location, place } }
      })
      const rows = await rowsOf(csv, file(incidents))
      assert.deepEqual(
        rows.map((row) => (row.kind === 'incident' ? row.incident : row)),
        incidents.map(withoutNestedFields),
      )
    }),
  )
})

test('awkward texts and addresses come back through our importer', async () => {
  const incidents = awkwardIncidents()
  const rows = await rowsOf(csv, file(incidents))
  assert.deepEqual(
    rows.map((row) => (row.kind === 'incident' ? row.incident : row)),
    incidents.map(withoutNestedFields),
  )
})

const fromJson = (json: string) => {
  const record = csvRecordFromJson(Buffer.from(json).toString('latin1'))
  return record === null ? null : Buffer.from(record, 'latin1').toString()
}

test('a record written from the JSON equals the one written from the incident, or there is none', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const odd = fc.constantFrom('=1', "'", "'=", '-', '@x', 'a,b', 'a|b', '|', '', '],', '{"id":', 'ẹ̀kọ́', '+')
  const any = fc.oneof(text, { arbitrary: odd, weight: 8 })
  const maybe = fc.option(any)
  const decimal = fc.double({ noNaN: true, noDefaultInfinity: true })
  const count = fc.option(fc.oneof(decimal, { arbitrary: fc.nat(500), weight: 30 }))
  const time = fc.oneof(any, { arbitrary: fc.constant('2026-01-02T03:04:05Z'), weight: 20 })
  const source = fc.record({ url: maybe, publisher: any, published_at: maybe })
  const figures = fc.record({ source: any, killed: count, injured: count, abducted: count })
  const changes = fc.record(
    {
      summary: any,
      lga: maybe,
      lat: fc.oneof(decimal, { arbitrary: fc.integer().map((whole) => whole / 10_000), weight: 8 }),
      sources: fc.array(source, { maxLength: 3 }),
      dataset: any,
      attribution: any,
      casualties: fc.record({ killed: count, injured: count, abducted: count }),
      casualties_reported: fc.array(figures, { maxLength: 3 }),
      occurred_until: time,
      confirmed_at: fc.option(time),
      merged_into: fc.constant(anIncident(2).id),
    },
    { requiredKeys: [] },
  )
  let written = 0
  fc.assert(
    fc.property(changes, maybe, (changed, place) => {
      const plain = anIncident(1, changed as Partial<Incident>)
      const incident = orderIncidentFields({ ...plain, location: { ...plain.location, place } })
      const record = fromJson(JSON.stringify(incident))
      if (record === null) return
      written++
      assert.equal(record, csvRecord(incident))
    }),
    { numRuns: tries(2000) },
  )
  assert.ok(written > 200, `only ${written} were not parsed`)
})

test('documents in another form are left to the parser', () => {
  const json = JSON.stringify(anIncident(1))
  assert.equal(fromJson(json), csvRecord(anIncident(1)))
  const others = [
    json.replace('{"id":', '{ "id":'),
    json.replace('"lat":', '"lat":1e1,"lat":'),
    json.replace(/"lat":[^,]+/, '"lat":1.50'),
    json.replace(/"lat":[^,]+/, '"lat":15e-1'),
    json.replace(/"lat":[^,]+/, '"lat":-0'),
    json.replace(/"lat":[^,]+/, '"lat":1.2345678901234567'),
    json.replace('"type":', '"kind":'),
    json.slice(0, -1),
    `${json} `,
    JSON.stringify(anIncident(1, { summary: 'a\nb' })),
  ]
  for (const other of others) assert.equal(fromJson(other), null, other)
  for (let end = 0; end < json.length; end++) assert.equal(fromJson(json.slice(0, end)), null)
})

test('what a spreadsheet would run is marked, and nothing else', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\t=1', '\r=1']) assert.equal(escapeFormula(text), `'${text}`)
  for (const text of ['1=1', ' x', '', "'tis", 'a-b', "'"]) assert.equal(escapeFormula(text), text)
})

test('no marked text begins a formula, and every text comes back as it was', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', 'a', ' ') })
  fc.assert(
    fc.property(text, (any) => {
      assert.doesNotMatch(escapeFormula(any), /^[=+\-@\t\r]/)
      assert.equal(unescapeFormula(escapeFormula(any)), any)
    }),
  )
})
