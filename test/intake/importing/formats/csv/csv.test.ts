import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csv } from '../../../../../src/intake/importing/formats/csv/csv.ts'
import { anIncident } from '../../../../support/incident.ts'
import { type Cells, csvOf, ownRow, plainRow } from '../fixtures.ts'
import { reasonIn, reportIn, rowOf, rowsOf } from '../reading.ts'

test('the required columns are enough for a report', async () => {
  const { report, radiusKm, quality } = reportIn(
    await rowOf(csv, 'Type,Occurred at,State\nArmed Robbery,2024-05-01,Lagos\n'),
  )
  assert.deepEqual([radiusKm, quality], [null, null])
  assert.deepEqual(report, {
    type: 'armed_robbery',
    severity: null,
    occurred_at: '2024-05-01T00:00:00.000Z',
    time_precision: 'day',
    lat: null,
    lng: null,
    state: 'Lagos',
    lga: null,
    place: null,
    precision: null,
    summary: 'Armed robbery in Lagos.',
    sources: [],
    casualties: { killed: null, injured: null, abducted: null },
  })
})

test('every field of a report is read', async () => {
  const row = plainRow({
    occurred_at: '2024-05-01T08:30:00+01:00',
    lat: 10.45,
    lng: 7.33,
    lga: 'Chikun',
    severity: 'high',
    precision: 'exact',
    radius_km: 0.5,
    confidence: 0.7,
    killed: 0,
    abducted: 11,
    summary: 'As told.',
    source_urls: 'https://example.org/a|https://example.com/b|',
    source_publishers: 'Example Daily||Nigeria Police',
  })
  const { report, radiusKm, quality } = reportIn(await rowOf(csv, csvOf([row])))
  assert.deepEqual([radiusKm, quality], [0.5, 0.7])
  assert.equal(report.occurred_at, '2024-05-01T07:30:00.000Z')
  assert.equal(report.time_precision, 'exact')
  assert.deepEqual(report.casualties, { killed: 0, injured: null, abducted: 11 })
  assert.deepEqual(report.sources, [
    { url: 'https://example.org/a', publisher: 'Example Daily', published_at: null, official: false },
    { url: 'https://example.com/b', publisher: 'example.com', published_at: null, official: false },
    { url: null, publisher: 'Nigeria Police', published_at: null, official: true },
  ])
})

test('an exported incident is read back, except for the fields that CSV omits', async () => {
  const incident = anIncident(7, { summary: 'Commas, "quotes"\nand lines.', lga: null })
  incident.location.lga_code = null
  const row = await rowOf(csv, csvOf([ownRow(incident)]))
  assert.ok(row.kind === 'incident')
  assert.deepEqual(row.omits, ['confidence_reasons', 'sources', 'merged_into'])
  const sources = incident.sources.map((source) => ({ ...source, published_at: null }))
  assert.deepEqual(row.incident, { ...incident, confidence_reasons: [], sources })
  assert.deepEqual(Object.keys(row.incident), Object.keys(incident))
})

test('an exported incident with an invalid field is rejected', async () => {
  const reason = reasonIn(await rowOf(csv, csvOf([{ ...ownRow(anIncident(1)), version: 0, lat: 'north' }])))
  assert.match(reason, /lat must be a number.*version must be a whole number from 1/)
})

test('unknown columns are mapped, ignored, or stop the import', async () => {
  const row: Cells = { 'Event Type': 'protest', When: '1 May 2024', Where: 'Ikeja', Note: 'x', Colour: 'red' }
  const map = new Map(Object.entries({ 'Event Type': 'type', when: 'occurred_at', Where: 'place', Note: '-' }))
  await assert.rejects(rowsOf(csv, csvOf([row]), { map }), /column "Colour" is not known/)
  map.set('*', '-')
  const { report } = reportIn(await rowOf(csv, csvOf([row]), { map }))
  assert.deepEqual([report.type, report.occurred_at, report.place], ['protest', '2024-05-01T00:00:00.000Z', 'Ikeja'])
  await assert.rejects(
    rowsOf(csv, csvOf([row]), { map: new Map([['When', 'ocurred_at']]) }),
    /did you mean occurred_at/,
  )
  await assert.rejects(rowsOf(csv, csvOf([row]), { map: new Map([['Wen', 'occurred_at']]) }), /no column "Wen"/)
  await assert.rejects(rowsOf(csv, csvOf([{ ...row, type: 'riot' }]), { map }), /two columns are mapped to type/)
})

test('a row is identified by its id, or by its content if it has none', async () => {
  const idOf = async (row: Cells) => reportIn(await rowOf(csv, csvOf([row]))).sourceId
  assert.equal(await idOf(plainRow()), 'acme:17')
  assert.equal(await idOf(plainRow({ source_id: 17 })), 'csv:17')
  assert.equal(await idOf(plainRow({ source_id: '', id: 18 })), 'csv:18')
  const { source_id: _, ...withoutId } = plainRow()
  const id = await idOf(withoutId)
  assert.match(id, /^csv:[0-9a-f]{32}$/)
  assert.equal(await idOf(Object.fromEntries(Object.entries({ ...withoutId, killed: '' }).toReversed())), id)
  assert.notEqual(await idOf({ ...withoutId, place: 'Elsewhere' }), id)
})

test('a row must name a place', async () => {
  assert.match(reasonIn(await rowOf(csv, csvOf([plainRow({ state: '', place: '' })]))), /names no place/)
  assert.match(reasonIn(await rowOf(csv, csvOf([plainRow({ lat: 10, lng: '' })]))), /lng "" is not a number/)
})
