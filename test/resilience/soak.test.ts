import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkDrift } from '../../resilience/soak/drift.ts'
import { type MinuteStats, minuteStats } from '../../resilience/soak/minute-stats.ts'

const MILLION = 1_000_000
const NOTHING = { used: 0, resident: 0, cpu: 0, waited: 0 }

function aMinute(
  changes: Partial<Record<'used' | 'resident' | 'cpu' | 'p50' | 'p99' | 'waited', number>> = {},
): MinuteStats {
  const { used = 100 * MILLION, resident = 300 * MILLION, cpu = 2, p50 = 4, p99 = 40, waited = 500 } = changes
  return { used, resident, cpu, waited, requests: 100, latencies: new Map([['list', { p50, p99 }]]) }
}

/** Returns the failed checks of six minutes of which the last two have the given values. */
function failedChecks(changes: Parameters<typeof aMinute>[0]): string[] {
  const minutes = [...Array.from({ length: 4 }, () => aMinute()), aMinute(changes), aMinute(changes)]
  return checkDrift(minutes).flatMap(({ name, passed }) => (passed ? [] : [name]))
}

describe('the drift check', () => {
  const cases: [string, Parameters<typeof aMinute>[0], string[]][] = [
    ['accepts constant values', {}, []],
    ['accepts a small increase', { used: 114 * MILLION, resident: 349 * MILLION, cpu: 2.6, p50: 7.9, p99: 104 }, []],
    ['finds a leak on the heap', { used: 116 * MILLION }, ['memory in use stays flat']],
    ['finds a leak outside the heap', { resident: 351 * MILLION }, ['resident memory stays flat']],
    ['finds a higher processor time', { cpu: 2.8 }, ['processor time per request stays flat']],
    ['fails latencies as not measurable on a busy machine', { waited: 6001 }, ['latencies stay flat']],
    ['finds a higher p50', { p50: 8.1 }, ['the p50 of list stays flat']],
    ['finds a higher p99', { p99: 106 }, ['the p99 of list stays flat']],
  ]
  for (const [name, changes, expected] of cases) it(name, () => assert.deepEqual(failedChecks(changes), expected))

  it('ignores the first third', () => {
    const warmingUp = aMinute({ used: MILLION, resident: MILLION, p50: 0.1, p99: 0.1 })
    const minutes = [warmingUp, warmingUp, ...Array.from({ length: 4 }, () => aMinute())]
    assert.ok(checkDrift(minutes).every(({ passed }) => passed))
  })
})

it('a minute has the processor time per request, and the p50 and p99 of each task', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  const { requests, cpu, latencies } = minuteStats(
    { ...NOTHING, cpu: 1000 },
    { ...NOTHING, cpu: 1202 },
    new Map([
      ['list', hundred],
      ['tile', [7]],
    ]),
  )
  assert.deepEqual([requests, cpu], [101, 2])
  assert.deepEqual(
    [...latencies],
    [
      ['list', { p50: 51, p99: 100 }],
      ['tile', { p50: 7, p99: 7 }],
    ],
  )
})
