import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyedTables } from '../../../../resilience/faults/backup/compare-tables.ts'
import { findCountDifferences, withoutDeskCounts } from '../../../../resilience/faults/backup/desk-counts.ts'

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
