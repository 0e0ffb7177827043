import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRecords } from '../../../src/desk/sites/csv-records.ts'

const CASES: readonly (readonly [what: string, text: string, records: readonly (readonly [number, string[]])[]])[] = [
  ['nothing', '', []],
  [
    'a byte order mark and Windows line breaks',
    '\uFEFFa,b\r\n1,2\r\n',
    [
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ],
  ],
  [
    'old Macintosh line breaks',
    'a\r1\r',
    [
      [1, ['a']],
      [2, ['1']],
    ],
  ],
  [
    'no line break at the end',
    'a\n1',
    [
      [1, ['a']],
      [2, ['1']],
    ],
  ],
  [
    'empty lines, which count',
    'a\n\n , \n1',
    [
      [1, ['a']],
      [4, ['1']],
    ],
  ],
  ['empty cells', 'a,,\n', [[1, ['a', '', '']]]],
  [
    'commas, quotes and line breaks in quotes',
    '"a,b","c""d"\n"e\r\nf"\n1',
    [
      [1, ['a,b', 'c"d']],
      [2, ['e\r\nf']],
      [4, ['1']],
    ],
  ],
  ['quotes around nothing', '"",a', [[1, ['', 'a']]]],
  ['two quotes in quotes', '""""', [[1, ['"']]]],
]
for (const [what, text, records] of CASES)
  test(`CSV: ${what}`, () => {
    assert.deepEqual(
      csvRecords(text, 100, 'too many'),
      records.map(([line, cells]) => ({ line, cells })),
    )
  })

const FAULTS: readonly (readonly [what: string, text: string, line: number, message: RegExp])[] = [
  ['a quote that is never closed', 'a\n"b,1\nc,2\n', 2, /opened and never closed/],
  ['a doubled quote at the end', 'a\n"b""', 2, /opened and never closed/],
  ['text after a closing quote', 'a\n"b"c,1\n', 2, /follows a closing quote/],
  ['a space after a closing quote', '"a" ,b', 1, /follows a closing quote/],
  ['a quote inside a cell', 'a\n5" pipe,1\n', 2, /inside a cell/],
  ['nothing but commas', `a\n${','.repeat(1_000_000)}`, 2, /more than 100 cells/],
]
for (const [what, text, line, message] of FAULTS)
  test(`CSV with ${what} is refused with the line`, () => {
    const fault = csvRecords(text, 100, 'too many')
    assert.ok('message' in fault)
    assert.equal(fault.line, line)
    assert.match(fault.message, message)
  })
