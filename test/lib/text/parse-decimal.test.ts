import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDecimal } from '../../../src/lib/text/parse-decimal.ts'
import fc from '../../support/fast-check.ts'

test('every number below a quadrillion is read as JavaScript writes it', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, minExcluded: true, maxExcluded: true, noNaN: true }), (number) => {
      assert.equal(parseDecimal(String(number)), number + 0)
    }),
    { examples: [[0], [-0], [0.1 + 0.2], [1e-7], [5e-324], [0.0000012345678901234567], [-180]] },
  )
})

test('the forms of other programs are read too', () => {
  for (const [text, number] of [
    ['+1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1E-3', 0.001],
    ['-0', 0],
  ] as const)
    assert.equal(parseDecimal(text), number, text)
})

test('a text that is no number, or too large for one, is refused', () => {
  for (const text of [
    '',
    ' 1',
    '1 ',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '1e999',
    '1e1000',
    '.',
    '-',
    'e5',
    '1_000',
    '٣',
  ])
    assert.equal(parseDecimal(text), null, text)
})
