import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SuiteRecord } from '../../../bench/harness/records.ts'
import { resultsPage } from '../../../bench/harness/results-page.ts'
import type { Row } from '../../../bench/harness/row.ts'
import { SUITE_NAMES } from '../../../bench/suites.ts'

const row = (differing: Partial<Row> = {}): Row => ({
  name: 'listing: one state',
  value: '0.88 (13,886/s)',
  limit: '≥ 0.75',
  ok: true,
  ...differing,
})

const record = (rows: Row[], differing: Partial<SuiteRecord> = {}): SuiteRecord => ({
  suite: 'listing',
  at: '2026-11-15T08:30:12.000Z',
  commit: 'abc1234',
  load: 0.1,
  machine: '2 cores',
  rows,
  ...differing,
})

describe('the page of results', () => {
  it('gives each suite a table, the figure before what explains it, and what was measured beside it', () => {
    const page = resultsPage([
      record([row({ peer: 'a bare route: 15,758/s' }), row({ name: 'stats: all', limit: '–' })]),
    ])
    assert.match(page, /^## Lists over HTTP.*$/m)
    assert.match(page, /^\[listing\]\(suites\/listing\.ts\), 2026-11-15 08:30 UTC$/m)
    assert.match(page, /^\| one state \| \*\*0\.88\*\* \(13,886\/s\) \| ≥ 0\.75 \| a bare route: 15,758\/s \| ok \|$/m)
    assert.match(page, /^\| stats: all \| \*\*0\.88\*\* \(13,886\/s\) \| {2}\| {2}\| {2}\|$/m)
  })

  it('counts the limits and names those that are missed, and suites that failed', () => {
    const missed = row({ value: '0.5 (slow)', ok: false })
    const failed = row({ name: 'listing: all', value: 'failed with 1', limit: '–', ok: false })
    const page = resultsPage([record([row(), row({ limit: '–' }), missed, failed])])
    assert.match(page, /\*\*1 of 3 limits hold\.\*\* Missed:/)
    assert.match(page, /^- listing: one state: 0\.5 \(slow\), not ≥ 0\.75\n- listing: all: failed with 1$/m)
    assert.match(page, /\| \*\*MISSED\*\* \|$/m)
    assert.match(resultsPage([record([row()])]), /\*\*1 of 1 limits hold\.\*\*\n/)
  })

  it('says once under what readEnvironment all was measured, or for which suites which', () => {
    const geo = record([], { suite: 'geo' })
    assert.match(resultsPage([record([row()]), geo]), /^2 cores\. Commit abc1234; load average 0\.1 before/m)
    const apart = resultsPage([record([row()]), { ...geo, commit: 'def5678', load: 3 }])
    assert.match(apart, /^- listing: 2 cores\. Commit abc1234; load average 0\.1 before the first suite\.$/m)
    assert.match(
      apart,
      /^- geo: 2 cores\. Commit def5678; load average 3\.0 before the first suite: others were working/m,
    )
  })

  it('names the suites that it has no figures of', () => {
    const all = SUITE_NAMES.map((suite) => record([row()], { suite }))
    assert.doesNotMatch(resultsPage(all), /Not measured/)
    assert.match(
      resultsPage(all.filter(({ suite }) => suite !== 'geo' && suite !== 'map')),
      /measured:\*\* geo, map\.$/m,
    )
  })

  it('keeps a table whole where a cell has a bar', () => {
    assert.match(resultsPage([record([row({ value: 'a|b' })])]), /\*\*a\\\|b\*\*/)
  })
})
