import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { type CsvRecord, RecordSplitter } from '../../../../../src/desk/importing/formats/csv/record-splitter.ts'
import { MAX_ROW_BYTES } from '../../../../../src/desk/importing/formats/splitting/decode.ts'
import fc from '../../../../support/fast-check.ts'

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
      const write = (text: string) => (sparing && /^[^",\r\n]+$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`)
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
