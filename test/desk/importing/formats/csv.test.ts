import assert from 'node:assert/strict'
import { describe, suite, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { csv } from '../../../../src/desk/importing/formats/csv.ts'
import { NO_MAPPING, type Position, type Row, UnreadableFile } from '../../../../src/desk/importing/formats/format.ts'
import { MAX_ROW_BYTES } from '../../../../src/desk/importing/formats/rows.ts'
import { type CsvRecord, RecordSplitter } from '../../../../src/desk/importing/formats/tables.ts'
import { FORMATS, type FormatName } from '../../../../src/desk/importing/import.ts'
import fc from '../../../support/fast-check.ts'
import { anIncident } from '../../../support/incident.ts'
import {
  acledRow,
  type Cells,
  collectionOf,
  csvOf,
  featureOf,
  foreignFeature,
  incidents,
  ndjsonOf,
  ownRow,
  plainRow,
  reasonIn,
  reportIn,
  rowOf,
  rowsOf,
  ucdpRow,
} from './fixtures.ts'

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
  await assert.rejects(
    rowsOf(csv, csvOf([row]), { mapping: { ...NO_MAPPING, columns: map } }),
    /column "Colour" is not known/,
  )
  map.set('*', '-')
  const { report } = reportIn(await rowOf(csv, csvOf([row]), { mapping: { ...NO_MAPPING, columns: map } }))
  assert.deepEqual([report.type, report.occurred_at, report.place], ['protest', '2024-05-01T00:00:00.000Z', 'Ikeja'])
  await assert.rejects(
    rowsOf(csv, csvOf([row]), { mapping: { ...NO_MAPPING, columns: new Map([['When', 'ocurred_at']]) } }),
    /did you mean occurred_at/,
  )
  await assert.rejects(
    rowsOf(csv, csvOf([row]), { mapping: { ...NO_MAPPING, columns: new Map([['Wen', 'occurred_at']]) } }),
    /no column "Wen"/,
  )
  await assert.rejects(
    rowsOf(csv, csvOf([{ ...row, type: 'riot' }]), { mapping: { ...NO_MAPPING, columns: map } }),
    /two columns are mapped to type/,
  )
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

test('values are mapped in any case, empty ones and all others too, and constants fill every row', async () => {
  const mapping = {
    columns: new Map([['Kind', 'type']]),
    values: new Map([
      [
        'type',
        new Map([
          ['kidnap for ransom', 'kidnapping'],
          ['*', 'riot'],
        ]),
      ],
      ['severity', new Map([['', 'low']])],
    ]),
    constants: new Map([
      ['state', 'Kaduna'],
      ['dataset', 'acme'],
      ['attribution', 'Acme, CC BY 4.0'],
    ]),
  }
  const rows = [
    { Kind: 'Kidnap for Ransom', occurred_at: '2024-05-01', severity: '' },
    { Kind: 'Something', occurred_at: '2024-05-01', severity: 'high' },
  ]
  const reports = (await rowsOf(csv, csvOf(rows), { mapping })).map((row) => reportIn(row).report)
  assert.deepEqual(
    reports.map(({ type, severity, state, dataset, attribution }) => [type, severity, state, dataset, attribution]),
    [
      ['kidnapping', 'low', 'Kaduna', 'acme', 'Acme, CC BY 4.0'],
      ['riot', 'high', 'Kaduna', 'acme', 'Acme, CC BY 4.0'],
    ],
  )
})

test('a mapping that cannot be meant stops the import', async () => {
  const row = plainRow({})
  const says = (constants: [string, string][], message: RegExp) =>
    assert.rejects(rowsOf(csv, csvOf([row]), { mapping: { ...NO_MAPPING, constants: new Map(constants) } }), message)
  await says([['source_id', '1']], /every row would be the same incident/)
  await says([['typ', 'riot']], /the field "typ" is not known; did you mean type/)
  await says([['type', 'riot']], /the file has a column for type/)
  const values = new Map([['place', new Map([['a', 'b']])]])
  await assert.rejects(
    rowsOf(csv, csvOf([{ type: 'riot', occurred_at: '2024-05-01', state: 'Kaduna' }]), {
      mapping: { ...NO_MAPPING, values },
    }),
    /--value place: the file has no column for place/,
  )
  const strange = csvOf([{ type: 'riot', occurred_at: '2024-05-01', state: 'Kaduna', dataset: 'Acme Inc' }])
  assert.match(reasonIn(await rowOf(csv, strange)), /dataset must look like ucdp/)
})

describe('splitting records', () => {
  function recordsIn(text: string): CsvRecord[] {
    const records = new RecordSplitter(0, 0, null)
    return [...records.push(Buffer.from(text)), ...records.end()]
  }

  const cellsIn = (text: string) => recordsIn(text).map(({ cells }) => cells)

  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '₦', '"', ',', '\n', '\r\n', ' ', ';'), maxLength: 6 })
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((columns) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 }),
    )

  test('another parser reads the same cells from well-formed CSV', () => {
    const newline = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(table, newline, fc.boolean(), (rows, newline, sparing) => {
        const write = (text: string) =>
          sparing && /^[^",\r\n]+$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`
        const header = rows[0]!.map((_, index) => `column${index}`)
        const text = [header, ...rows].map((row) => row.map(write).join(',')).join(newline)
        assert.deepEqual(cellsIn(text), parse(text, { record_delimiter: [newline] }))
      }),
    )
  })

  const HEADER = 'a,b,c\n'
  const cases: { what: string; text: string; rows: (string | RegExp)[] }[] = [
    { what: 'a quote that is never closed', text: '1,"x,3\n4,5,6\n7,8,9\n', rows: [/quote/, '4,5,6', '7,8,9'] },
    {
      what: 'a quote that is closed only by the quote of a later row',
      text: '1,"x,3\n4,5,6\n7,"8, 8",9\n',
      rows: [/quote/, '4,5,6', '7,"8, 8",9'],
    },
    { what: 'a quote within a quoted field', text: '1,"he said "go" now",3\n4,5,6', rows: [/quote/, '4,5,6'] },
    {
      what: 'a broken row before one that spans two lines',
      text: '1,"x,3\n4,"two\nlines",6\n7,8,9\n',
      rows: [/quote/, '4,"two\nlines",6', '7,8,9'],
    },
    {
      what: 'a broken row that spans two lines itself',
      text: '1,"one\nhe said "go" now",3\n4,5,6\n',
      rows: [/quote/, '4,5,6'],
    },
    { what: 'a quote open at the end of the file', text: '1,2,3\n4,"5,6', rows: ['1,2,3', /quote/] },
    { what: 'two broken rows one after the other', text: '1,"x,3\n4,"y,6\n7,8,9\n', rows: [/quote/, '7,8,9'] },
    { what: 'too few columns', text: '1,2\n4,5,6\n', rows: [/2 columns, the header has 3/, '4,5,6'] },
    { what: 'too many columns', text: '1,2,3,4\n4,5,6\n', rows: [/4 columns, the header has 3/, '4,5,6'] },
    { what: 'too many columns over two lines', text: '1,"2\n2",3,4\n4,5,6\n', rows: [/4 columns/, '4,5,6'] },
    { what: 'quotes in a field that is not quoted', text: '1,5" pipe,"6"\n4,5,6\n', rows: ['1,5" pipe,"6"', '4,5,6'] },
    { what: 'empty lines', text: '\n1,2,3\n\n\r\n4,5,6\n\n', rows: ['1,2,3', '4,5,6'] },
    { what: 'no newline at the end', text: '1,2,3\n4,5,""', rows: ['1,2,3', '4,5,""'] },
  ]

  suite('a fault affects only its own row', () => {
    for (const { what, text, rows } of cases) {
      test(what, () => {
        const read = recordsIn(HEADER + text).slice(1)
        const outcome = read.map(({ text, fault }) => fault ?? text)
        assert.equal(outcome.length, rows.length, outcome.join(' | '))
        for (const [index, row] of rows.entries()) {
          if (typeof row === 'string') assert.equal(outcome[index], row)
          else assert.match(outcome[index]!, row)
        }
      })
    }

    test('with 10,000 rows after the broken one, none of which has a quote', () => {
      const rows = Array.from({ length: 10_000 }, (_, index) => `${index},x,y\n`).join('')
      const read = recordsIn(`${HEADER}1,"x,3\n${rows}`)
      assert.deepEqual([read.length, read.filter(({ fault }) => fault !== null).length], [10_002, 1])
    })

    test('with more than a megabyte after the broken row', () => {
      const rows = Array.from({ length: 200_000 }, (_, index) => `${index},x,y\n`).join('')
      assert.ok(rows.length > 2 * MAX_ROW_BYTES)
      const read = recordsIn(`${HEADER}1,"x,3\n${rows}`)
      assert.deepEqual([read.length, read.filter(({ fault }) => fault !== null).length], [200_002, 1])
    })
  })

  test('the delimiter and the newline are detected from the header', () => {
    assert.deepEqual(cellsIn('a;b;c\n1;"2;2";3,5\n'), [
      ['a', 'b', 'c'],
      ['1', '2;2', '3,5'],
    ])
    assert.deepEqual(cellsIn('a\tb\n1\t2\n'), [
      ['a', 'b'],
      ['1', '2'],
    ])
    assert.deepEqual(cellsIn('a,b\r1,2\r3,"4\r5"\r'), [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4\r5'],
    ])
    assert.deepEqual(cellsIn('a,b\n1,2\r3\n'), [
      ['a', 'b'],
      ['1', '2\r3'],
    ])
  })
})

describe('chunks', () => {
  const text = 'a, "b"\nÖn'
  const FILES: Record<FormatName, readonly string[]> = {
    ucdp: [csvOf([1, 2, 3, 4].map((id) => ucdpRow({ id, where_description: id % 2 === 0 ? text : 'x' })))],
    acled: [
      csvOf(
        [1, 2, 3, 4].map((id) => acledRow({ event_id_cnty: `NIG${id}`, notes: text })),
        '\n',
      ),
    ],
    csv: [
      csvOf([1, 2, 3, 4].map((id) => plainRow({ source_id: id, place: text }))),
      csvOf(incidents(3).map(ownRow)),
      csvOf(
        [1, 2, 3].map((id) => plainRow({ source_id: id, place: 'x' })),
        '\r',
      ),
    ],
    geojson: [
      collectionOf(incidents(3).map(featureOf)),
      `\ufeff${incidents(3)
        .map((incident) => `\u001e${JSON.stringify(featureOf(incident), null, 1)}\n`)
        .join('')}`,
      JSON.stringify([1, 2, 3].map((id) => foreignFeature({ source_id: `acme:${id}`, place: text }))),
      [1, 2].map((page) => collectionOf([foreignFeature({ source_id: `acme:${page}` })])).join('\n'),
    ],
    ndjson: [
      ndjsonOf(incidents(4)),
      ndjsonOf(incidents(3)).replaceAll('\n', '\r\n\r\n'),
      ndjsonOf(incidents(3)).replaceAll('\n', '\r'),
    ],
  }

  const BYTES = Buffer.from('"",\n\r;\0{}[]:\\\x1e\xe9x', 'latin1')
  const edit = fc.record({
    at: fc.nat(),
    remove: fc.integer({ min: 0, max: 3 }),
    insert: fc.array(fc.constantFrom(...BYTES), { maxLength: 3 }),
  })

  function edited(file: string, edits: readonly { at: number; remove: number; insert: number[] }[]): Buffer {
    let bytes = Buffer.from(file)
    for (const { at, remove, insert } of edits) {
      const place = at % (bytes.length + 1)
      bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(insert), bytes.subarray(place + remove)])
    }
    return bytes
  }

  /** The result of reading: the rows, or the reason why the file cannot be read. */
  async function reading(
    name: FormatName,
    bytes: Buffer,
    lengths: readonly number[],
    after?: Position,
  ): Promise<Row[] | string> {
    try {
      return await rowsOf(FORMATS[name], bytes, { after }, lengths)
    } catch (error) {
      if (error instanceof UnreadableFile) return error.message
      throw error
    }
  }

  const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 })

  for (const name of Object.keys(FILES) as FormatName[]) {
    suite(`${name}, whole and damaged`, () => {
      const file = fc.record({
        file: fc.constantFrom(...FILES[name]),
        edits: fc.oneof(
          { weight: 1, arbitrary: fc.constant([]) },
          { weight: 4, arbitrary: fc.array(edit, { maxLength: 3 }) },
        ),
        lengths,
        resumed: fc.nat(),
      })

      test('reads the same rows with any chunk sizes, and from any row on', async () => {
        await fc.assert(
          fc.asyncProperty(file, async ({ file, edits, lengths, resumed }) => {
            const bytes = edited(file, edits)
            const whole = await reading(name, bytes, [bytes.length + 1])
            assert.deepEqual(await reading(name, bytes, lengths), whole)
            if (typeof whole === 'string' || whole.length < 2) return
            const last = resumed % (whole.length - 1)
            assert.deepEqual(await reading(name, bytes, lengths, whole[last]!), whole.slice(last + 1))
          }),
          { numRuns: 200 },
        )
      })

      test('numbers rows upwards, with offsets that grow to the end of the file', async () => {
        for (const file of FILES[name]) {
          const rows = await rowsOf(FORMATS[name], file)
          assert.deepEqual(
            rows.filter(({ kind }) => kind === 'rejected'),
            [],
          )
          for (const [index, { row, offset }] of rows.entries()) {
            const before = rows[index - 1] ?? { row: 0, offset: 0 }
            assert.ok(row > before.row && offset > before.offset && offset <= Buffer.byteLength(file))
          }
        }
      })
    })
  }
})
