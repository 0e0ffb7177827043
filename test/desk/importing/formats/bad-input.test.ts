import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FORMATS, type FormatName } from '../../../../src/desk/importing/import.ts'
import { anIncident } from '../../../support/incident.ts'
import {
  acledRow,
  type Content,
  collectionOf,
  csvOf,
  foreignFeature,
  incidents,
  NOW,
  ndjsonOf,
  openOf,
  outcomes,
  plainRow,
  rowsOf,
  ucdpRow,
} from './fixtures.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const GARBAGE = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * index * 31 + (index >> 3)) % 256))
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const ucdp = (...rows: Record<string, string | number>[]) => csvOf(rows.map(ucdpRow))
const acled = (...rows: Record<string, string | number>[]) => csvOf(rows.map(acledRow))
const plain = (...rows: Record<string, string | number>[]) => csvOf(rows.map(plainRow))

const unreadable: { what: string; format: FormatName; content: Content; says: RegExp }[] = [
  ...(Object.keys(FORMATS) as FormatName[]).flatMap((format) => [
    { what: 'an empty file', format, content: '', says: /empty/ },
    { what: 'a gzip file', format, content: Buffer.from([0x1f, 0x8b, 8, 0, 0]), says: /gzip/ },
    { what: 'a spreadsheet', format, content: latin1('PK\x03\x04rest'), says: /spreadsheet/ },
    { what: 'UTF-16', format, content: Buffer.from('\ufeffid,type', 'utf16le'), says: /UTF-16/ },
  ]),
  { what: 'binary garbage', format: 'ucdp', content: GARBAGE, says: /header|not a text file|not a UCDP/ },
  { what: 'binary garbage', format: 'csv', content: GARBAGE, says: /header|not a text file|not known/ },
  { what: 'binary garbage', format: 'geojson', content: GARBAGE, says: /not GeoJSON/ },
  { what: 'a header of a megabyte', format: 'csv', content: `${'x'.repeat(2_000_000)}\n1`, says: /header.*1 MB/ },
  {
    what: 'another table',
    format: 'ucdp',
    content: acled({}),
    says: /not a UCDP GED file: it lacks id, type_of_violence/,
  },
  { what: 'another table', format: 'acled', content: ucdp({}), says: /not an ACLED file: it lacks event_id_cnty/ },
  { what: 'a column twice', format: 'ucdp', content: ucdp({ ' ID ': 2 }), says: /the column "id" twice/ },
  {
    what: 'an unknown column',
    format: 'csv',
    content: plain({ kiled: 3 }),
    says: /"kiled" is not known: .*kiled=killed/,
  },
  { what: 'no place', format: 'csv', content: 'type,occurred_at\n', says: /lacks a place/ },
  { what: 'no type', format: 'csv', content: 'occurred_at,state\n', says: /lacks type/ },
  { what: 'text', format: 'geojson', content: 'type,occurred_at\n', says: /not GeoJSON/ },
]

suite('an unreadable file is refused with one sentence', () => {
  for (const { what, format, content, says } of unreadable) {
    test(`${format}: ${what}`, async () => {
      await assert.rejects(rowsOf(FORMATS[format], content), { name: 'UnreadableFile', message: says })
    })
  }
})

const broken = (rows: string): string => rows.replace('Madeup', '"Madeup')
const rejectedRows: { what: string; format: FormatName; content: Content; says: (string | RegExp)[] }[] = [
  { what: 'header only', format: 'ucdp', content: ucdp({}).split('\r\n')[0]!, says: [] },
  { what: 'header only', format: 'csv', content: 'type,occurred_at,state\r\n', says: [] },
  { what: 'no features', format: 'geojson', content: collectionOf([]), says: [] },
  { what: 'empty lines only', format: 'ndjson', content: '\n\r\n \n', says: [] },
  {
    what: 'a broken quote in the middle',
    format: 'acled',
    content: broken(acled({ event_id_cnty: 'A1' }, { event_id_cnty: 'A2' }, { event_id_cnty: 'A3' })),
    says: [/^2 rejected: a quote is wrong/, '3 acled:A2', '4 acled:A3'],
  },
  {
    what: 'a missing column',
    format: 'csv',
    content: `${plain({})}1,2\r\n`,
    says: ['2 acme:17', /^3 rejected: .* 2 columns/],
  },
  {
    what: 'NUL bytes',
    format: 'csv',
    content: plain({}, { place: 'a\0b' }),
    says: ['2 acme:17', /^3 rejected: .*NUL/],
  },
  {
    what: 'NUL bytes',
    format: 'ndjson',
    content: `\0\0\n${ndjsonOf([anIncident(1)])}`,
    says: [/^1 rejected: .*JSON/, /^2 inc_/],
  },
  {
    what: 'binary garbage',
    format: 'ndjson',
    content: Buffer.from([0, 1, 2, 10, 0xff, 0xfe, 10]),
    says: [/^1 rej/, /^2 rej/],
  },
  {
    what: 'CR-only newlines',
    format: 'ucdp',
    content: csvOf([ucdpRow({}), ucdpRow({ id: 2 })], '\r'),
    says: ['2 ucdp:900001', '3 ucdp:2'],
  },
  { what: 'another country', format: 'ucdp', content: ucdp({ country: 'Niger' }), says: [/"Niger", not Nigeria/] },
  { what: 'another country', format: 'acled', content: acled({ country: 'Chad' }), says: [/"Chad", not Nigeria/] },
  {
    what: 'a date before 1960',
    format: 'ucdp',
    content: ucdp({ date_start: '1932-01-01' }),
    says: [/1932-01-01" lies before 1960/],
  },
  {
    what: 'a date in the future',
    format: 'acled',
    content: acled({ event_date: '16 November 2026' }),
    says: [/in the future/],
  },
  {
    what: 'a date in the future',
    format: 'csv',
    content: plain({ occurred_at: '2026-11-16' }),
    says: [/in the future/],
  },
  {
    what: 'a time half an hour ahead',
    format: 'csv',
    content: plain({ occurred_at: '2026-11-15T00:30:00Z' }),
    says: [/in the future/],
  },
  {
    what: 'an end half an hour ahead',
    format: 'csv',
    content: plain({ occurred_until: '2026-11-15T00:30:00Z' }),
    says: [/occurred_until .*in the future/],
  },
  { what: 'an end to come', format: 'ucdp', content: ucdp({ date_end: '2026-11-16' }), says: [/in the future/] },
  { what: 'today', format: 'csv', content: plain({ occurred_at: '2026-11-15' }), says: ['2 acme:17'] },
  {
    what: 'a day that does not exist',
    format: 'csv',
    content: plain({ occurred_at: '2026-02-30' }),
    says: [/"2026-02-30" is not a date/],
  },
  {
    what: 'a date with an ambiguous order of day and month',
    format: 'csv',
    content: plain({ occurred_at: '03/04/2021' }),
    says: [/is not a date/],
  },
  {
    what: 'swapped coordinates',
    format: 'ucdp',
    content: ucdp({ latitude: 3.4, longitude: 6.5 }),
    says: [/look swapped/],
  },
  {
    what: 'swapped coordinates',
    format: 'geojson',
    content: collectionOf([foreignFeature({}, [6.5, 3.4])]),
    says: [/look swapped/],
  },
  {
    what: 'coordinates far from Nigeria',
    format: 'acled',
    content: acled({ latitude: 48.1, longitude: 11.5 }),
    says: [/far from Nigeria/],
  },
  {
    what: 'invalid coordinates',
    format: 'ucdp',
    content: ucdp({ latitude: '11,25' }),
    says: [/"11,25".* is not a number/],
  },
  {
    what: 'an unknown type',
    format: 'csv',
    content: plain({ type: 'kidnaping' }),
    says: [/did you mean kidnapping\?/],
  },
  {
    what: 'an unknown code',
    format: 'ucdp',
    content: ucdp({ where_prec: 9, date_prec: 0 }),
    says: [/where_prec "9".*; date_prec "0"/],
  },
  {
    what: 'an unknown event',
    format: 'acled',
    content: acled({ event_type: 'Fair' }),
    says: [/"Fair \/ Attack" is not known/],
  },
  {
    what: 'no incident',
    format: 'acled',
    content: acled({ event_type: 'Strategic developments', sub_event_type: 'Agreement' }),
    says: [/is not an incident/],
  },
  {
    what: 'a source that is not a URL',
    format: 'csv',
    content: plain({ source_urls: 'javascript:alert(1)' }),
    says: [/is not an http/],
  },
  {
    what: '10,000 sources',
    format: 'csv',
    content: plain({ source_publishers: 'x|'.repeat(10_000) }),
    says: [/10001 sources; at most 100 are/],
  },
  {
    what: 'a negative count',
    format: 'csv',
    content: plain({ killed: -1 }),
    says: [/killed "-1" is not a whole number from 0/],
  },
  {
    what: 'half a character',
    format: 'geojson',
    content: collectionOf([foreignFeature({ place: '\ud800' })]),
    says: [/half of a surrogate pair/],
  },
  {
    what: 'a polygon',
    format: 'geojson',
    content: '{"type":"Feature","geometry":{"type":"Polygon"},"properties":{}}',
    says: [/must be a Point, not "Polygon"/],
  },
  {
    what: 'a number among features',
    format: 'geojson',
    content: `[1,${JSON.stringify(foreignFeature())}]`,
    says: [/not a GeoJSON feature/, '2 acme:17'],
  },
  {
    what: 'a truncated collection',
    format: 'geojson',
    content: collectionOf([foreignFeature(), foreignFeature()]).slice(0, -60),
    says: ['1 acme:17', /^2 rej/, /^3 rejected: the file ends/],
  },
  {
    what: 'a collection truncated between features',
    format: 'geojson',
    content: collectionOf([foreignFeature()]).replace('],"has_more":false}', ''),
    says: ['1 acme:17', /^2 rejected: the file ends/],
  },
  {
    what: 'a quote missing in a feature',
    format: 'geojson',
    content: collectionOf([foreignFeature({ source_id: 'acme:1' }), foreignFeature({ source_id: 'acme:2' })]).replace(
      'kidnapping"',
      'kidnapping',
    ),
    says: [/^1 rejected/, '2 acme:2'],
  },
]

suite('an invalid row is rejected with its number and the reason', () => {
  for (const { what, format, content, says } of rejectedRows) {
    test(`${format}: ${what}`, async () => {
      const rows = outcomes(await rowsOf(FORMATS[format], content))
      assert.equal(rows.length, says.length, rows.join('\n'))
      for (const [index, row] of rows.entries()) {
        const expected = says[index]!
        if (typeof expected === 'string') assert.equal(row, expected)
        else assert.match(row, expected)
      }
    })
  }
})

test('Latin-1 and Windows-1252 are detected per row', async () => {
  const [first, second] = [plain({ place: 'Gòmbé “town”' }), plain({ place: 'Gòmbé “town”' })]
  const oneRow = Buffer.from(first.split('\r\n')[1]!)
  const content = Buffer.concat([
    Buffer.from(`${second.split('\r\n')[0]}\r\n`),
    oneRow,
    Buffer.from('\r\n'),
    latin1('acme:18,kidnapping,2024-05-01,Kaduna,G\xf2mb\xe9 \x93town\x94\r\n'),
  ])
  const places = (await rowsOf(FORMATS.csv, content)).map((row) => row.kind === 'report' && row.report.place)
  assert.deepEqual(places, ['Gòmbé “town”', 'Gòmbé “town”'])
})

test('text with markup and control characters stays unchanged', async () => {
  const summary = '<script>alert(1)</script> \u202eright to left\u0007'
  const [row] = await rowsOf(FORMATS.csv, plain({ summary }))
  assert.equal(row?.kind === 'report' && row.report.summary, summary)
})

test('a rejected row has its raw text', async () => {
  const [row] = await rowsOf(FORMATS.csv, plain({ type: 'x', place: 'a "b"' }))
  assert.equal(row?.kind === 'rejected' && row.text, 'acme:17,x,2024-05-01,Kaduna,"a ""b"""')
})

suite('a line of 50 MB is skipped with little memory', () => {
  const [head, own] = [`${csvOf([plainRow()]).split('\r\n')[0]}\r\n`, ndjsonOf(incidents(1))]
  const row = csvOf([plainRow()]).split('\r\n')[1]!
  const feature = JSON.stringify(foreignFeature())
  const kinds: { format: FormatName; before: string; after: string; row: RegExp }[] = [
    { format: 'csv', before: head, after: `\r\n${row}\r\n`, row: /longer than 1 MB/ },
    { format: 'csv', before: `${head}"`, after: `\r\n${row}\r\n`, row: /quote is wrong/ },
    { format: 'ndjson', before: '', after: `\n${own}`, row: /longer than 1 MB/ },
    { format: 'geojson', before: `${feature}\n{"`, after: `\n${feature}\n`, row: /longer than 1 MB/ },
  ]
  for (const { format, before, after, row } of kinds) {
    test(`${format}${before.endsWith('"') ? ', with a quote before it' : ''}`, async () => {
      const chunk = Buffer.alloc(1 << 16, 'x')
      collectGarbage()
      const heap = process.memoryUsage().heapUsed
      let held = 0
      const open = async function* () {
        yield Buffer.from(before)
        for (let length = 0; length < 50_000_000; length += chunk.length) yield chunk
        collectGarbage()
        held = process.memoryUsage().heapUsed - heap
        yield Buffer.from(after)
      }
      const rows = await Array.fromAsync(FORMATS[format].read(open, { now: NOW }))
      assert.ok(held < 5_000_000, `${held} bytes held`)
      const rejected = rows.filter(({ kind }) => kind === 'rejected')
      assert.equal(rejected.length, 1)
      assert.match(outcomes(rejected)[0]!, row)
      assert.ok(rejected[0]!.kind === 'rejected' && rejected[0]!.text.length < 2_000)
      assert.notEqual(rows.at(-1)!.kind, 'rejected')
    })
  }
})

test('the file is closed when the reader stops early', async () => {
  let closed = false
  const open = async function* () {
    try {
      yield* openOf(plain({}, {}, {}))(0)
    } finally {
      closed = true
    }
  }
  for await (const _ of FORMATS.csv.read(open, { now: NOW })) break
  assert.ok(closed)
})
