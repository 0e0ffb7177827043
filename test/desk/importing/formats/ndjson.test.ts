import assert from 'node:assert/strict'
import { describe, suite, test } from 'node:test'
import { NO_MAPPING } from '../../../../src/desk/importing/formats/format.ts'
import { geojson } from '../../../../src/desk/importing/formats/geojson.ts'
import { ndjson } from '../../../../src/desk/importing/formats/ndjson.ts'
import { anIncident } from '../../../support/incident.ts'
import {
  collectionOf,
  featureOf,
  foreignFeature,
  incidents,
  ndjsonOf,
  outcomes,
  reasonIn,
  reportIn,
  rowOf,
  rowsOf,
} from './fixtures.ts'

test('exported incidents are read back as identical incidents', async () => {
  const all = incidents(20)
  const text = ndjsonOf(all)
  const rows = await rowsOf(ndjson, text)
  const read = rows.map((row) => (row.kind === 'incident' ? row.incident : row))
  assert.equal(ndjsonOf(read), text)
  assert.deepEqual(
    rows.map((row) => row.kind === 'incident' && [row.row, row.sourceId, row.omits.length]),
    all.map(({ id }, index) => [index + 1, id, 0]),
  )
})

test('rows are numbered as an editor numbers lines', async () => {
  const [one, two] = incidents(2).map((incident) => JSON.stringify(incident))
  const rows = await rowsOf(ndjson, `\ufeff\r\n${one}\r\n\r\n${two}`)
  assert.deepEqual(
    rows.map(({ row }) => row),
    [2, 4],
  )
})

const wrong: { what: string; changes: object; says: string | RegExp }[] = [
  { what: 'an id of another kind', changes: { id: 'key_1' }, says: 'id must be inc_ and 26 characters' },
  { what: 'no id', changes: { id: undefined }, says: 'id is missing' },
  { what: 'a null in a required field', changes: { state: null }, says: 'state must be text' },
  {
    what: 'an unknown type',
    changes: { type: 'kidnaping' },
    says: /^type "kidnaping" is not known; did you mean kidnapping/,
  },
  {
    what: 'the category of another type',
    changes: { category: 'crime' },
    says: 'category crime is not that of kidnapping: abduction',
  },
  { what: 'an unknown severity', changes: { severity: 5 }, says: /^severity 5 is not known; it must be one of low, / },
  { what: 'a latitude as text', changes: { lat: '10.4' }, says: 'lat must be a number from -180 to 180' },
  { what: 'swapped coordinates', changes: { lat: 120, lng: 9 }, says: /is not a latitude/ },
  { what: 'a place far away', changes: { lat: -10, lng: 9 }, says: /far from Nigeria/ },
  { what: 'a confidence above 1', changes: { confidence: 1.1 }, says: 'confidence must be a number from 0 to 1' },
  { what: 'an empty summary', changes: { summary: '' }, says: 'summary is empty' },
  {
    what: 'NUL in a text',
    changes: { summary: 'a\0' },
    says: 'summary contains a NUL character or half of a surrogate pair; leave it out',
  },
  {
    what: 'a local time',
    changes: { updated_at: '2026-01-01T00:00:00+01:00' },
    says: /^updated_at must be a time in UTC/,
  },
  {
    what: 'a day that does not exist',
    changes: { reported_at: '2026-02-29T00:00:00Z' },
    says: /^reported_at must be a time in UTC/,
  },
  {
    what: 'a time in the future',
    changes: { occurred_at: '2027-01-01T00:00:00Z' },
    says: 'occurred_at 2027-01-01T00:00:00Z lies in the future',
  },
  {
    what: 'an end in the future',
    changes: { occurred_until: '2027-01-01T00:00:00Z' },
    says: 'occurred_until 2027-01-01T00:00:00Z lies in the future',
  },
  {
    what: 'a time half an hour ahead',
    changes: { occurred_at: '2026-11-15T00:30:00Z' },
    says: 'occurred_at 2026-11-15T00:30:00Z lies in the future',
  },
  { what: 'a time before 1960', changes: { occurred_at: '1959-12-31T23:59:59Z' }, says: /lies before 1960/ },
  { what: 'a version of 0', changes: { version: 0 }, says: 'version must be a whole number from 1 to 1000000000' },
  {
    what: 'a confirmed incident without a publication time',
    changes: { published_at: null },
    says: /^published_at is null/,
  },
  { what: 'an unknown field', changes: { note: 1 }, says: 'note is not a field of an incident' },
  { what: 'a location that is text', changes: { location: 'Kaduna' }, says: 'location must be an object' },
  {
    what: 'a state code of another country',
    changes: { location: { ...anIncident().location, state_code: 'NE-1' } },
    says: /^location.state_code must look like NG-KD/,
  },
  {
    what: 'an LGA of another state',
    changes: { location: { ...anIncident().location, state_code: 'NG-LA' } },
    says: 'location.lga_code NG-KD-CHIKUN does not lie in NG-LA',
  },
  {
    what: 'a missing field of the location',
    changes: { location: { place: null } },
    says: /^location.precision is missing; location.radius_km is missing/,
  },
  {
    what: 'a source that is not a URL',
    changes: { sources: [{ url: 'ftp://x', publisher: 'x', published_at: null }] },
    says: 'sources.0.url must be an http or https address without a user name and a password',
  },
  {
    what: '10,000 sources',
    changes: { sources: Array(10_000).fill({}) },
    says: 'sources has 10000 entries; at most 1000 are allowed',
  },
  {
    what: 'a reason without weight',
    changes: { confidence_reasons: [{ reason: 'x', value: null }] },
    says: 'confidence_reasons.0.weight is missing',
  },
  {
    what: 'a reason with a list',
    changes: { confidence_reasons: [{ reason: 'x', value: [], weight: 0 }] },
    says: /^confidence_reasons.0.value must be/,
  },
  {
    what: 'half a casualty',
    changes: { casualties: { killed: 0.5, injured: null, abducted: null } },
    says: 'casualties.killed must be a whole number from 0',
  },
]

suite('a document that is not a valid incident is rejected with a reason', () => {
  for (const { what, changes, says } of wrong) {
    test(what, async () => {
      const reason = reasonIn(await rowOf(ndjson, JSON.stringify({ ...anIncident(1), ...changes })))
      if (typeof says === 'string') assert.equal(reason, says)
      else assert.match(reason, says)
    })
  }

  test('a row that is not an object', async () => {
    const reasons = (await rowsOf(ndjson, '1\n"x"\nnull\n[]\n{}\n{"id":1')).map(reasonIn)
    assert.deepEqual(reasons.slice(0, 4), Array(4).fill('the row is not an object'))
    assert.match(reasons[4]!, /^id is missing; type is missing/)
    assert.match(reasons[5]!, /^the row is not JSON/)
  })
})

test('an incident at sea is accepted', async () => {
  const row = await rowOf(ndjson, JSON.stringify(anIncident(1, { type: 'piracy', lat: 3.46, lng: 5.56 })))
  assert.equal(row.kind, 'incident')
})

describe('geojson', () => {
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
    for (const text of texts)
      assert.equal(JSON.stringify(incidentsIn(await rowsOf(geojson, text))), JSON.stringify(all))
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
    const { sourceId, report } = reportIn(
      await rowOf(geojson, collectionOf([foreignFeature({ killed: 2, lga: null })])),
    )
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
    const faults = [
      two!.slice(0, -1),
      two!.replace('"type":"k', '"type":"k"'),
      `${two}}`,
      two!.replace('"acme', 'acme'),
    ]
    for (const fault of faults) {
      const rows = outcomes(
        await rowsOf(geojson, `{"type":"FeatureCollection","features":[${one},${fault},\n${three}]}`),
      )
      assert.equal(rows[0], '1 acme:1')
      assert.match(rows.at(-1)!, / acme:3$/)
      assert.ok(rows.some((row) => row.includes('rejected')))
    }
  })

  test('reading from a checkpoint needs a complete position', () => {
    assert.throws(() => geojson.read(async function* () {}, { now: 0, after: { row: 1, offset: 10 } }), /within/)
  })
})
