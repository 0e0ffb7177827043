import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATEGORY_NAMES, categoryOf, severitiesFrom, TYPE_NAMES, typesIn } from '../../src/domain/taxonomy.ts'

test('every type has one category, and every category a type', () => {
  assert.deepEqual(CATEGORY_NAMES.flatMap(typesIn).toSorted(), TYPE_NAMES.toSorted())
  for (const category of CATEGORY_NAMES) for (const type of typesIn(category)) assert.equal(categoryOf(type), category)
})

test('names are lowercase with underscores', () => {
  for (const name of [...TYPE_NAMES, ...CATEGORY_NAMES]) assert.match(name, /^[a-z]+(_[a-z]+)*$/)
})

test('a least severity means it and all that are worse', () => {
  assert.deepEqual(severitiesFrom('high'), ['high', 'critical'])
})
