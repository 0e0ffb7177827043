import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readIndexedFields } from '../../../src/archive/documents/read-indexed-fields.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { indexedFieldsOf } from '../../../src/query/indexed-fields.ts'
import { anIncident } from '../../support/incident.ts'
import { incidentFrom, incidentParts } from '../../support/incidents/arbitrary.ts'

/** Reads the document between other bytes, as in a chunk. */
function read(document: string, parse: () => Incident) {
  const bytes = Buffer.from(`"lat":5,${document}{"id":"`)
  return readIndexedFields(bytes, 8, bytes.length - 7, parse)
}

const never = () => assert.fail('it was parsed whole')

/** Texts that try to look like fields. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '"lat":1',
    '\\"lat":1',
    '","occurred_at":"1999-01-01T00:00:00.000Z',
    '{"id":"x"',
    '\\',
    '"',
    '\\\\"confidence":0,',
    '"published_at":"2001-01-01"',
    '"casualties":{"killed":7,"injured":8,"abducted":9}',
  ),
)

test('the fields read from the bytes equal those of the parsed document, whatever its texts contain', () => {
  fc.assert(
    fc.property(incidentParts, text, text, text, fc.nat(1000), (parts, summary, place, publisher, number) => {
      const plain = incidentFrom(parts, number)
      const incident: Incident = {
        ...plain,
        summary,
        location: { ...plain.location, place },
        sources: [{ url: place, publisher, published_at: '2000-01-01T00:00:00.000Z' }],
        confidence_reasons: [{ reason: summary, value: publisher, weight: 0.1 }],
      }
      assert.deepEqual(read(JSON.stringify(incident), never), {
        id: incident.id,
        fields: indexedFieldsOf(incident),
      })
    }),
    { numRuns: 2000 },
  )
})

test('parses a document in another form', () => {
  const incident = anIncident(1, { lga: null, location: { ...anIncident().location, lga_code: null } })
  const expected = { id: incident.id, fields: indexedFieldsOf(incident) }
  const turned = Object.fromEntries(Object.entries(incident).toReversed())
  for (const document of [
    JSON.stringify(incident, null, 2),
    JSON.stringify(turned),
    JSON.stringify(incident).replace('NG-KD', 'NG\\u002dKD'),
    JSON.stringify(incident).replace('"injured":2', '"injured":20e-1'),
  ]) {
    let parsed = 0
    const parse = () => {
      parsed++
      return JSON.parse(document) as Incident
    }
    assert.deepEqual(read(document, parse), expected)
    assert.equal(parsed, 1)
  }
})

test('a document that is not public has no fields', () => {
  const reported = anIncident(1, { status: 'reported', published_at: null })
  assert.throws(() => read(JSON.stringify(reported), () => reported), /is not published/)
})
