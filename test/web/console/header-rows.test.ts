import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headersOf, newRow, rowsOf } from '../../../web/console/watches/header-rows.ts'

const written = (name: string, value: string) => ({ ...newRow(name), value })

test('headers are what was written; empty rows are left out', () => {
  assert.deepEqual(headersOf([]), {})
  assert.deepEqual(headersOf([written(' X-Token ', 'a b'), newRow(), written('__proto__', 'c')]), {
    'X-Token': 'a b',
    ['__proto__']: 'c',
  })
})

test('a stored value stays unless another is written', () => {
  const [token, team] = rowsOf({ 'X-Token': '***', 'X-Team': '***' })
  assert.deepEqual(headersOf([token!, { ...team!, value: 'roads' }]), { 'X-Token': '***', 'X-Team': 'roads' })
  assert.deepEqual(headersOf([team!]), { 'X-Team': '***' })
})

test('a row that cannot be sent is said in words', () => {
  assert.throws(() => headersOf([written('', 'value')]), /has a value but no name/)
  assert.throws(() => headersOf([written('X-Token', '')]), /X-Token has no value/)
  assert.throws(() => headersOf([...rowsOf({ 'X-Token': '***' }), written('x-token', 'b')]), /x-token is there twice/)
})
