import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Columns } from '../../../src/archive/columns/columns.ts'
import { FieldScanner } from '../../../src/archive/loading/field-scanner.ts'
import { scanChunk } from '../../../src/archive/loading/scan-chunk.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { indexedFieldsOf } from '../../../src/filter/indexed-fields.ts'
import fc from '../../support/fast-check.ts'
import { anIncident } from '../../support/incident.ts'
import { incidentFrom, incidentParts } from '../../support/incidents/arbitrary.ts'

/** Reads the document between other bytes, as in a chunk; null if it has to be parsed. */
function scan(document: string) {
  const bytes = Buffer.from(`"lat":5,${document}{"id":"`)
  const columns = new Columns()
  // In a slot that has had another incident.
  columns.set(1, 'x'.repeat(26), { ...indexedFieldsOf(anIncident(7)), killed: 70_000, dataset: 'other' })
  const isRead = new FieldScanner(bytes, columns).scan(1, 8, bytes.length - 7)
  return isRead ? { id: `inc_${columns.suffixOf(1)}`, fields: columns.indexedFieldsOf(1) } : null
}

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
      assert.deepEqual(scan(JSON.stringify(incident)), { id: incident.id, fields: indexedFieldsOf(incident) })
    }),
    { numRuns: 2000 },
  )
})

test('reads where an incident comes from, with an attribution or without', () => {
  const plain = anIncident(1)
  const { casualties, ...rest } = plain
  const { occurred_at, ...after } = rest
  for (const credit of [
    { dataset: 'ucdp' },
    { dataset: 'ucdp', attribution: 'The "dataset": ucdp, [2026]' },
    { attribution: '"dataset":"acled"' },
  ]) {
    const head = Object.fromEntries(Object.entries(after).slice(0, Object.keys(after).indexOf('sources') + 1))
    const tail = Object.fromEntries(Object.entries(after).slice(Object.keys(after).indexOf('sources') + 1))
    const incident = { ...head, ...credit, casualties, occurred_at, ...tail } as Incident
    assert.deepEqual(scan(JSON.stringify(incident)), { id: incident.id, fields: indexedFieldsOf(incident) })
  }
})

test('a document in another form is left to a parser', () => {
  const incident = anIncident(1, { lga: null, location: { ...anIncident().location, lga_code: null } })
  const turned = Object.fromEntries(Object.entries(incident).toReversed())
  for (const document of [
    JSON.stringify(incident, null, 2),
    JSON.stringify(turned),
    JSON.stringify(incident).replace('NG-KD', 'NG\\u002dKD'),
    JSON.stringify(incident).replace('"injured":2', '"injured":20e-1'),
    JSON.stringify(incident).replace('"id":"inc_', '"id":"inc\\u005f'),
    JSON.stringify(incident).replace('"precision":"', '"precision":"un'),
  ]) {
    assert.equal(scan(document), null, document)
    if (document.includes('"un')) continue
    const bytes = Buffer.from(document)
    const chunk = scanChunk({ bytes, ends: Uint32Array.of(bytes.length) })
    const columns = new Columns()
    columns.append(0, chunk.columns)
    assert.equal(`inc_${columns.suffixOf(0)}`, incident.id)
    assert.deepEqual(columns.indexedFieldsOf(0), indexedFieldsOf(incident))
  }
})

test('a document that is not public has no fields', () => {
  const bytes = Buffer.from(JSON.stringify(anIncident(1, { status: 'reported', published_at: null })))
  assert.throws(() => scanChunk({ bytes, ends: Uint32Array.of(bytes.length) }), /is not published/)
})
