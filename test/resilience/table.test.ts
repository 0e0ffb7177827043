import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Tally } from '../../resilience/harness/newsroom.ts'
import { type Finding, isSound, MUST_BE_ZERO } from '../../resilience/proof.ts'
import { resultsPage } from '../../resilience/results-page.ts'
import { type Found, tableOf } from '../../resilience/table.ts'

const TALLY: Tally = {
  confirmed: 3,
  owed: 7,
  delivered: 7,
  repeated: 2,
  lost: 0,
  uncalledFor: 0,
  renamed: 0,
  outOfSequence: 0,
  forgotten: 0,
}
const SOUND: Finding = { where: 'SQLite', times: 5, tally: TALLY, promises: [] }
const BROKEN_PROMISE = { what: 'reads go on', kept: false, seen: '3 of 100 failed' }

describe('a finding', () => {
  it('is sound where nothing is lost', () => assert.ok(isSound(SOUND)))

  for (const count of MUST_BE_ZERO) {
    it(`is broken by one of ${count}`, () => assert.ok(!isSound({ ...SOUND, tally: { ...TALLY, [count]: 1 } })))
  }

  it('is broken by a promise that was not kept, also without anything to deliver', () => {
    assert.ok(!isSound({ ...SOUND, promises: [BROKEN_PROMISE] }))
    assert.ok(!isSound({ ...SOUND, tally: null, promises: [BROKEN_PROMISE] }))
  })
})

const FOUND: readonly Found[] = [
  ['kill', SOUND],
  ['full-disk', { ...SOUND, tally: null, promises: [BROKEN_PROMISE] }],
]

it('the table says what was counted, and which promise was broken', () => {
  const table = tableOf(FOUND)
  assert.match(table, /^kill +SQLite +5 +3 +7 +7 +2 +0 +0 +0 +0 +0 +ok$/m)
  assert.match(table, /^full-disk +SQLite +5( +–)+ +BROKEN$/m)
  assert.match(table, /^BROKEN {2}full-disk, SQLite: reads go on: 3 of 100 failed$/m)
})

it('and so does the page that is written', () => {
  const page = resultsPage(FOUND, { machine: 'A machine', commit: 'abc1234', minutes: 31.26 })
  assert.match(page, /A machine. Commit abc1234; 31.3 minutes.\n\n\*\*1 of 2 rows are broken/)
  assert.match(page, /^\| kill \| SQLite \| 5 \| 3 \| 7 \| 7 \| 2 \| 0 \| 0 \| 0 \| 0 \| 0 \| ok \|$/m)
  assert.match(page, /^\| full-disk \| SQLite \| reads go on \| 3 of 100 failed \| \*\*BROKEN\*\* \|$/m)
  assert.match(
    resultsPage([FOUND[0]!], { machine: 'A machine', commit: 'abc1234', minutes: 1 }),
    /All promises were kept/,
  )
})
