import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTableDifferences, keyedTables } from '../../resilience/faults/backup/compare-tables.ts'
import { findCountDifferences, withoutDeskCounts } from '../../resilience/faults/backup/desk-counts.ts'

const tables = (watches: object[], events: object[] = []) =>
  keyedTables({ watches, events } as never, { watches: ['id'], events: ['seq'] })
const watch = (id: number, name = 'a') => ({ id, name })

const CASES: [string, object[], object[], object[], string[]][] = [
  ['an equal copy', [watch(1)], [watch(1)], [watch(1)], []],
  ['a row that was added or deleted meanwhile', [watch(1)], [watch(2)], [], []],
  ['a row that was changed meanwhile', [watch(1)], [watch(1, 'b')], [watch(1, 'b')], []],
  ['a missing row', [watch(1)], [watch(1)], [], ['watches [1] is missing in the copy']],
  ['a different row', [watch(1)], [watch(1)], [watch(1, 'b')], ['watches [1] is different in the copy']],
  ['a row that never was', [], [], [watch(1)], ['watches [1] is only in the copy']],
]
for (const [name, before, after, copy, expected] of CASES) {
  test(`${name} has ${expected.length} differences`, () =>
    assert.deepEqual(findTableDifferences(tables(before), tables(after), tables(copy)), expected))
}

test('a table that only one side has is a difference', () => {
  const [none, one] = [keyedTables({}, {}), keyedTables({ watches: [] }, {})]
  assert.deepEqual(findTableDifferences(one, one, none), ['the copy has no table watches'])
  assert.deepEqual(findTableDifferences(none, none, one), ['the copy has a table watches'])
})

const copyWith = (entries: number) =>
  keyedTables(
    {
      desk_entries: [
        { id: 'a', status: 'reported', origin: 'api', severity: 2 },
        { id: 'b', status: 'reported', origin: 'api', severity: 2 },
      ],
      desk_counts: [{ status: 'reported', origin: 'api', severity: 2, entries }],
    },
    { desk_entries: ['id'], desk_counts: ['status', 'origin', 'severity'] },
  )

test('the counts of the desk are those of the entries of the same copy', () => {
  assert.deepEqual(findCountDifferences(copyWith(2)), [])
  assert.deepEqual(findCountDifferences(copyWith(3)), ['desk_counts says 3 for reported api 2, and there are 2'])
  assert.deepEqual([...withoutDeskCounts(copyWith(2)).keys()], ['desk_entries'])
})
