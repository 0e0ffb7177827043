import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Counts } from '../../resilience/harness/counts.ts'
import type { RecordedRun } from '../../resilience/recorded-run.ts'
import { withRun } from '../../resilience/recorded-runs.ts'
import { resultsPage } from '../../resilience/results-page.ts'
import { formatTable, type NamedResult } from '../../resilience/results-table.ts'
import { noticedCheck } from '../../resilience/sabotage/summary.ts'
import { hasPassed, MUST_BE_ZERO, notRun, type ScenarioResult } from '../../resilience/scenario.ts'

const COUNTS: Counts = {
  reports: 4,
  reportsLost: 0,
  reportsDoubled: 0,
  confirmed: 3,
  corrected: 2,
  retracted: 1,
  expected: 7,
  delivered: 7,
  cancelled: 0,
  duplicated: 2,
  repeated: 1,
  lost: 0,
  unexpected: 0,
  idChanged: 0,
  outOfOrder: 0,
  missingFromLog: 0,
  falseMessages: 0,
  outdated: 0,
  wrongReads: 0,
  examples: [],
}
const PASSED: ScenarioResult = { setup: 'SQLite', times: 5, counts: COUNTS, checks: [] }
const FAILED_CHECK = { name: 'reads continue', passed: false, observed: '3 of 100 failed' }

describe('a scenario result', () => {
  it('passes if nothing is lost', () => assert.ok(hasPassed(PASSED)))

  for (const count of MUST_BE_ZERO) {
    it(`fails if ${count} is 1`, () => assert.ok(!hasPassed({ ...PASSED, counts: { ...COUNTS, [count]: 1 } })))
  }

  it('does not pass if the scenario could not run', () => {
    const result = notRun('SQLite', 'no FUSE here')
    assert.ok(!hasPassed(result))
    assert.match(formatTable([['power-loss', result]]), /NOT RUN\n\n +power-loss, SQLite: NOT RUN: no FUSE here$/)
  })

  it('fails if a check failed, with and without delivery counts', () => {
    assert.ok(!hasPassed({ ...PASSED, checks: [FAILED_CHECK] }))
    assert.ok(!hasPassed({ ...PASSED, counts: null, checks: [FAILED_CHECK] }))
  })
})

const RESULTS: readonly NamedResult[] = [
  ['kill', PASSED],
  ['full-disk', { ...PASSED, counts: null, checks: [FAILED_CHECK] }],
]

const RUN: RecordedRun = {
  scenario: 'kill',
  commit: 'abc1234',
  machine: 'A machine',
  date: '2026-05-01',
  minutes: 31.26,
  results: [PASSED],
}

it('the table shows the counts and the failed checks', () => {
  const table = formatTable(RESULTS)
  assert.match(table, /^kill +SQLite +5 +4 +0 +0 +3 +2 +1 +0 +7 +7 +0 +2 +1( +0)+ +passed$/m)
  assert.match(table, /^full-disk +SQLite +5( +–)+ +FAILED$/m)
  assert.match(table, /^FAILED {2}full-disk, SQLite: reads continue: 3 of 100 failed$/m)
})

it('the results page shows the counts and the failed checks', () => {
  const page = resultsPage(RESULTS.map(([scenario, result]) => ({ ...RUN, scenario, results: [result] })))
  assert.match(page, /\*\*Of 2 rows, 1 failed and 0 could not run here/)
  assert.match(page, /^\| full-disk \| 2026-05-01 \| abc1234 \| 31.3 \| A machine \| FAILED \|$/m)
  assert.match(
    page,
    /^\| kill \| SQLite \| 5 \| 4 \| 0 \| 0 \| 3 \| 2 \| 1 \| 0 \| 7 \| 7 \| 0 \| 2 \| 1 (\| 0 )+\| passed \|$/m,
  )
  assert.match(page, /^\| full-disk \| SQLite \| reads continue \| 3 of 100 failed \| \*\*FAILED\*\* \|$/m)
  assert.match(resultsPage([RUN]), /All scenarios passed/)
})

it('the results page has one row for each sabotage, with both columns', () => {
  const checks = (observed: string) => [noticedCheck('scopes are not checked', true, observed)]
  const recorded = (scenario: string, observed: string) => {
    return { ...RUN, scenario, results: [{ ...PASSED, counts: null, checks: checks(observed) }] }
  }
  const page = resultsPage([recorded('sabotage', 'hostile: A'), recorded('simulated-sabotage', 'seed:1: B')])
  assert.match(page, /^\| scopes are not checked \| hostile: A \| seed:1: B \|$/m)
  assert.match(page, /^\| slow bodies are not closed \| – \| beyond it: Requests are injected, .* \|$/m)
  assert.doesNotMatch(page, /noticed: /)
})

it('a recorded run replaces the earlier run of its scenario only', () => {
  const again = { ...RUN, commit: 'def5678' }
  const other = { ...RUN, scenario: 'soak' }
  const gone = { ...RUN, scenario: 'gone' }
  assert.deepEqual(withRun([gone, other, RUN], again, ['kill', 'soak']), [again, other])
})
