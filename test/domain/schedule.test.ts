import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Digest,
  digestIsQuiet,
  minutesOf,
  minutesText,
  type QuietHours,
  releaseAt,
  worstOf,
} from '../../src/domain/schedule.ts'
import { SEVERITIES, type Severity } from '../../src/domain/taxonomy.ts'
import fc from '../support/fast-check.ts'

/** A time of 16 November 2026 in Lagos, or of a later day of that month. */
const lagos = (clock: string, day = 16) => Date.parse(`2026-11-${day}T${clock}:00+01:00`)
const NIGHT: QuietHours = { from: 22 * 60, until: 6 * 60, breakSeverity: 'critical' }
const HOURLY: Digest = { every: 'hourly', hour: 0, breakSeverity: null }
const MORNING: Digest = { every: 'daily', hour: 7, breakSeverity: 'high' }

const released = (
  parts: { digest?: Digest; quietHours?: QuietHours },
  severity: Severity,
  createdAt: number,
  now = createdAt,
) =>
  new Date(
    releaseAt({ digest: parts.digest ?? null, quietHours: parts.quietHours ?? null }, { severity, createdAt }, now),
  ).toISOString()
const iso = (time: number) => new Date(time).toISOString()

describe('when a delivery is released', () => {
  const cases: readonly (readonly [string, Parameters<typeof released>, number])[] = [
    ['in the day: at once', [{ quietHours: NIGHT }, 'low', lagos('21:59')], lagos('21:59')],
    [
      'at the first minute of the night: in the morning',
      [{ quietHours: NIGHT }, 'high', lagos('22:00')],
      lagos('06:00', 17),
    ],
    ['after midnight: the same morning', [{ quietHours: NIGHT }, 'low', lagos('05:59')], lagos('06:00')],
    ['at the end of the night: at once', [{ quietHours: NIGHT }, 'low', lagos('06:00')], lagos('06:00')],
    ['what breaks the night: at once', [{ quietHours: NIGHT }, 'critical', lagos('03:00')], lagos('03:00')],
    [
      'nothing breaks it if nothing is chosen',
      [{ quietHours: { ...NIGHT, breakSeverity: null } }, 'critical', lagos('03:00')],
      lagos('06:00'),
    ],
    [
      'quiet hours within a day',
      [{ quietHours: { ...NIGHT, from: 13 * 60, until: 14 * 60 + 30 } }, 'low', lagos('14:00')],
      lagos('14:30'),
    ],
    [
      'and outside of these',
      [{ quietHours: { ...NIGHT, from: 13 * 60, until: 14 * 60 + 30 } }, 'low', lagos('23:00')],
      lagos('23:00'),
    ],
    ['hourly: at the next full hour', [{ digest: HOURLY }, 'critical', lagos('09:20')], lagos('10:00')],
    ['hourly: what comes at the hour waits for the next', [{ digest: HOURLY }, 'low', lagos('10:00')], lagos('11:00')],
    ['daily: today', [{ digest: MORNING }, 'low', lagos('06:59')], lagos('07:00')],
    ['daily: tomorrow', [{ digest: MORNING }, 'medium', lagos('07:01')], lagos('07:00', 17)],
    ['daily at midnight in Lagos', [{ digest: { ...MORNING, hour: 0 } }, 'low', lagos('23:30')], lagos('00:00', 17)],
    ['what breaks the digest: at once', [{ digest: MORNING }, 'high', lagos('12:00')], lagos('12:00')],
    [
      'a digest that was not sent in time: at once',
      [{ digest: MORNING }, 'low', lagos('06:00'), lagos('09:00')],
      lagos('09:00'),
    ],
    [
      'but not in the night',
      [{ digest: MORNING, quietHours: NIGHT }, 'low', lagos('06:30'), lagos('23:00')],
      lagos('06:00', 17),
    ],
    [
      'hourly over night: in the morning',
      [{ digest: HOURLY, quietHours: NIGHT }, 'high', lagos('22:10')],
      lagos('06:00', 17),
    ],
    [
      'what breaks the night but no digest: with the next',
      [{ digest: HOURLY, quietHours: NIGHT }, 'critical', lagos('22:10')],
      lagos('23:00'),
    ],
    [
      'by day from high, at night from critical: high at noon',
      [{ digest: MORNING, quietHours: NIGHT }, 'high', lagos('12:00')],
      lagos('12:00'),
    ],
    [
      'by day from high, at night from critical: high at night',
      [{ digest: MORNING, quietHours: NIGHT }, 'high', lagos('23:00')],
      lagos('06:00', 17),
    ],
  ]
  for (const [name, asked, expected] of cases) it(name, () => assert.equal(released(...asked), iso(expected)))

  it('is never before now, never in quiet hours, and final: asked again then, it is the same', () => {
    const severity = fc.constantFrom(...SEVERITIES)
    const threshold = fc.option(severity)
    const minute = fc.integer({ min: 0, max: 1439 })
    const digest = fc.record({
      every: fc.constantFrom('hourly' as const, 'daily' as const),
      hour: fc.integer({ min: 0, max: 23 }),
      breakSeverity: threshold,
    })
    const quietHours = fc
      .record({ from: minute, until: minute, breakSeverity: threshold })
      .filter(({ from, until }) => from !== until)
    const START = lagos('00:00')
    const time = fc.integer({ min: START, max: START + 3 * 86_400_000 })
    fc.assert(
      fc.property(fc.option(digest), fc.option(quietHours), severity, time, time, (d, quiet, worst, one, other) => {
        const schedule = { digest: d, quietHours: quiet }
        const delivery = { severity: worst, createdAt: Math.min(one, other) }
        const at = releaseAt(schedule, delivery, Math.max(one, other))
        assert.ok(at >= Math.max(one, other))
        assert.ok(at < Math.max(one, other) + 2 * 86_400_000)
        assert.equal(releaseAt(schedule, delivery, at), at)
      }),
      { seed: 63, numRuns: 300 },
    )
  })
})

describe('a schedule', () => {
  it('reads times of the day, and nothing else', () => {
    assert.deepEqual(['00:00', '22:30', '23:59'].map(minutesOf), [0, 1350, 1439])
    assert.deepEqual(['24:00', '9:00', '12:60', '12.30', '', '12:30:00'].map(minutesOf), Array(6).fill(null))
    assert.deepEqual([0, 1350, 1439].map(minutesText), ['00:00', '22:30', '23:59'])
  })

  it('knows a daily digest that falls into its quiet hours', () => {
    const at = (hour: number) => digestIsQuiet({ digest: { ...MORNING, hour }, quietHours: NIGHT })
    assert.deepEqual([21, 22, 0, 5, 6, 7].map(at), [false, true, true, true, false, false])
    assert.equal(digestIsQuiet({ digest: HOURLY, quietHours: NIGHT }), false)
  })

  it('takes the worst of several severities', () => {
    assert.equal(worstOf(['low', 'critical', 'medium']), 'critical')
    assert.equal(worstOf(['low']), 'low')
  })
})
