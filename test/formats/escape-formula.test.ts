import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeFormula, unescapeFormula } from '../../src/formats/escape-formula.ts'
import fc from '../support/fast-check.ts'

test('what a spreadsheet would run is marked, and nothing else', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\t=1', '\r=1']) assert.equal(escapeFormula(text), `'${text}`)
  for (const text of ['1=1', ' x', '', "'tis", 'a-b', "'"]) assert.equal(escapeFormula(text), text)
})

test('no marked text begins a formula, and every text comes back as it was', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', 'a', ' ') })
  fc.assert(
    fc.property(text, (any) => {
      assert.doesNotMatch(escapeFormula(any), /^[=+\-@\t\r]/)
      assert.equal(unescapeFormula(escapeFormula(any)), any)
    }),
  )
})
