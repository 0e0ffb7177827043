import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { withPart } from '../../resilience/recorded-runs.ts'
import { applyEdit, findStaleEdits, SEEDS, testFileOf } from '../../resilience/sabotage/sabotage.ts'
import { SABOTAGES } from '../../resilience/sabotage/sabotages.ts'
import { noticedCheck, summarize } from '../../resilience/sabotage/summary.ts'
import { SCENARIOS } from '../../resilience/scenarios.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

/** `npm run resilience -- sabotage` applies them. */
describe('the table of sabotages', () => {
  it('has at least 20, each with its own name', () => {
    const names = SABOTAGES.map(({ name }) => name)
    assert.ok(names.length >= 20)
    assert.deepEqual(new Set(names).size, names.length)
  })

  it('can be applied to the source as it is', () => assert.deepEqual(findStaleEdits(SABOTAGES, read), []))

  it('names only files of tests, and scenarios that have a quick form', () => {
    const proofs = new Set(SABOTAGES.flatMap(({ proofs: names }) => names))
    for (const name of proofs) {
      if (SEEDS.includes(name)) continue
      const file = testFileOf(name)
      assert.ok(file === null ? SCENARIOS[name]?.quick : file.endsWith('.test.ts') && read(file), name)
    }
  })

  it('changes something with every edit', () => {
    for (const { name, edits } of SABOTAGES) {
      assert.ok(edits.length > 0, name)
      for (const { find, replace } of edits) assert.notEqual(find, replace, name)
    }
  })
})

describe('an edit', () => {
  const edit = { file: 'a.ts', find: 'true', replace: 'false' }

  it('replaces its text', () => assert.equal(applyEdit('export const a = true', edit), 'export const a = false'))

  it('is refused if it leaves no valid TypeScript', () =>
    assert.throws(() => applyEdit('export const a = true', { ...edit, find: 'true', replace: '(' })))

  it('is refused by name if its text is gone or not unique', () => {
    assert.throws(() => applyEdit('return 1', edit), /a\.ts contains no "true"/)
    assert.throws(() => applyEdit('true && true', edit), /a\.ts contains 2 "true"/)
    const stale = findStaleEdits([{ name: 'A defect', edits: [edit], proofs: [] }], () => '')
    assert.deepEqual(stale, ['A defect: a.ts contains no "true"'])
  })
})

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
