import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withPart } from '../../resilience/recorded-runs.ts'
import { noticedCheck, summarize } from '../../resilience/sabotage/summary.ts'

const RUN = { scenario: 'sabotage', commit: 'abc1234', machine: 'A machine', date: '2026-05-01', minutes: 20 }
const TABLE = ['no fsync', 'no signature']

it('a part replaces the rows of its sabotages, and the summary counts the whole table', () => {
  const whole = summarize(TABLE, [noticedCheck('no fsync', true, 'kill'), noticedCheck('no signature', false, '–')])
  assert.deepEqual([whole.checks[0]?.passed, whole.checks[0]?.observed], [false, '1 of 2 caught'])
  const part = summarize(['no signature'], [noticedCheck('no signature', true, 'traffic')])
  const merge = (...runs: (readonly (typeof whole)[])[]) => [
    summarize(
      TABLE,
      runs.flat().flatMap(({ checks }) => checks),
    ),
  ]
  const again = { ...RUN, commit: 'def5678', minutes: 3, results: [part] }
  const merged = withPart({ ...RUN, results: [whole] }, again, merge)
  assert.deepEqual([merged.commit, merged.minutes, merged.results[0]?.times], ['abc1234, def5678', 23, 2])
  assert.deepEqual(
    merged.results[0]?.checks.map(({ passed, observed }) => [passed, observed]),
    [
      [true, '2 of 2 caught'],
      [true, 'kill'],
      [true, 'traffic'],
    ],
  )
  assert.equal(withPart(undefined, again, merge).results[0]?.checks[0]?.observed, '1 of 2 caught')
})

it('a sabotage that has left the table is left out', () => {
  const { checks } = summarize(['no fsync'], [noticedCheck('no fsync', true, 'kill'), noticedCheck('old', false, '–')])
  assert.deepEqual(
    checks.map(({ passed }) => passed),
    [true, true],
  )
})
