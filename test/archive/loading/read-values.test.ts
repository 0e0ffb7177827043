import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countAt, decimalAt, timeAt } from '../../../src/archive/loading/read-values.ts'
import fc from '../../support/fast-check.ts'

/** The value between others, as in a document. */
const within = (json: string) => Buffer.from(`:${json},"next":"1`)

test('numbers are read as JSON.parse reads them, or not at all', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.integer({ min: -180_000_000, max: 180_000_000 }).map((units) => units / 1e6),
    fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  )
  fc.assert(
    fc.property(number, (value) => {
      const json = JSON.stringify(value)
      const read = decimalAt(within(json), 1)
      assert(Object.is(read, JSON.parse(json)) || (Number.isNaN(read) && json.includes('e')), `${json} was ${read}`)
    }),
    { numRuns: 5000 },
  )
  for (const json of ['null', '"1"', '1e3', '', '5.', '1.2.3', '--1'])
    assert.equal(decimalAt(within(json), 1), Number.NaN, json)
})

test('counts are read, null too', () => {
  for (const [json, count] of [
    ['0', 0],
    ['12', 12],
    ['null', null],
    ['-1', Number.NaN],
    ['1.5', Number.NaN],
    ['2e1', Number.NaN],
    ['1234567890123456', Number.NaN],
  ] as const)
    assert.equal(countAt(within(json), 1), count, json)
})

test('times are read as Date.parse reads them', () => {
  const bytesOf = (text: string) => Buffer.from(`"${text}","next":"1`)
  const read = (text: string) => timeAt(bytesOf(text), 1, text.length + 12)
  fc.assert(
    fc.property(fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      assert.equal(read(date.toISOString()), date.getTime())
      const inSeconds = date.toISOString().replace(/\.\d+Z/, 'Z')
      assert.equal(read(inSeconds), Date.parse(inSeconds))
    }),
    { numRuns: 5000 },
  )
  for (const text of [
    '2026-02-29T00:00:00.000Z',
    '2026-02-31T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00+',
    '2026-01-01T00:00:00.000+01:00',
    '2026-01-01',
    'yesterday',
    '2026-01-0\\u0031T00:00:00Z',
  ])
    assert.equal(read(text), Date.parse(text), text)
})
