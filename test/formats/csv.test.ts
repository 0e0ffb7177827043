import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { Incident } from '../../src/domain/incident.ts'
import { CSV_HEADER, csvRecord } from '../../src/formats/csv.ts'
import { unescapeFormula } from '../../src/formats/escape-formula.ts'
import { flattenIncident } from '../../src/formats/flatten.ts'
import { csv } from '../../src/intake/importing/formats/csv/csv.ts'
import { rowsOf } from '../intake/importing/formats/reading.ts'
import { anIncident } from '../support/incident.ts'
import { awkwardIncidents, withoutNestedFields } from '../support/incidents/awkward.ts'

const file = (incidents: readonly Incident[]) => [CSV_HEADER, ...incidents.map(csvRecord), ''].join('\r\n')

test('a reader that is not ours reads what was written', () => {
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

test('our importer reads back what was written, whatever the text', async () => {
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
