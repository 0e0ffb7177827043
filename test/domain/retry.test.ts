import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { FAILURES, type Failure, type SendResult, storableExcerpt } from '../../src/domain/delivery.ts'
import { MAX_ATTEMPTS, nextAttemptAt, retryAfterMilliseconds, verdictOn } from '../../src/domain/retry.ts'
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

const NOW = Date.UTC(2026, 0, 1, 12)

const TIMES = { startedAt: NOW, durationMs: 5 }

function verdictOnFailure(failure: Failure) {
  return verdictOn({ ...TIMES, kind: 'failed', failure, message: '' }, 1, NOW, () => 0.5)
}

function verdict({ status, retryAfter = null }: { status: number; retryAfter?: string | null }, attempts = 1) {
  const result: SendResult = { ...TIMES, kind: 'answered', status, message: '', body: '', retryAfter }
  return verdictOn(result, attempts, NOW, () => 0.5)
}

const LATER = { outcome: 'retry', at: NOW + 5000 }

const STATUSES: [number, string][] = [
  ...[200, 201, 202, 204, 299].map((status): [number, string] => [status, 'delivered']),
  [410, 'gone'],
  ...[100, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 411, 422, 429, 500, 502, 503, 504, 599, 999].map(
    (status): [number, string] => [status, 'retry'],
  ),
]

for (const [status, outcome] of STATUSES) {
  test(`${status} means ${outcome}`, () => assert.equal(verdict({ status }).outcome, outcome))
}

for (const failure of Object.keys(FAILURES) as Failure[]) {
  test(`${failure} is tried again`, () => assert.deepEqual(verdictOnFailure(failure), LATER))
}

test('Retry-After counts with 429 and 503, and with nothing else', () => {
  for (const status of [429, 503]) {
    assert.deepEqual(verdict({ status, retryAfter: '60' }), { outcome: 'retry', at: NOW + 60_000 })
  }
  for (const status of [301, 404, 500]) assert.deepEqual(verdict({ status, retryAfter: '60' }), LATER)
})

test('after the twelfth attempt a delivery is given up, or delivered after all', () => {
  assert.deepEqual(verdict({ status: 500 }, 12), { outcome: 'exhausted' })
  assert.deepEqual(verdict({ status: 429, retryAfter: '60' }, 12), { outcome: 'exhausted' })
  assert.deepEqual(verdict({ status: 204 }, 12), { outcome: 'delivered' })
})

test('a delivery to an endpoint that is gone waits for its next attempt, while it has one', () => {
  assert.deepEqual(verdict({ status: 410 }), { outcome: 'gone', at: NOW + 5000 })
  assert.deepEqual(verdict({ status: 410 }, 12), { outcome: 'gone', at: null })
})

const HOUR = 3_600_000
const MIDDLE = () => 0.5

test('there are twelve attempts, and the waits between them are those of the reference', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS }, (_, made) => nextAttemptAt(made + 1, NOW, MIDDLE))
  const seconds = [5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  assert.deepEqual(waits, [...seconds.map((wait) => NOW + wait * 1000), null])
  assert.equal(MAX_ATTEMPTS, 12)
})

test('each wait is spread by a fifth either way', () => {
  assert.equal(
    nextAttemptAt(1, NOW, () => 0),
    NOW + 4000,
  )
  assert.equal(
    nextAttemptAt(1, NOW, () => 0.999_999),
    NOW + 6000,
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 11 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (made, chance) => {
        const wait = nextAttemptAt(made, NOW, () => chance)! - NOW
        const middle = nextAttemptAt(made, NOW, MIDDLE)! - NOW
        assert.ok(wait >= 0.8 * middle - 1 && wait <= 1.2 * middle + 1)
      },
    ),
  )
})

const RETRY_AFTER: [string, number | null][] = [
  ['120', 120_000],
  [' 0 ', 0],
  ['86400', 24 * HOUR],
  ['86401', 24 * HOUR],
  ['9'.repeat(400), 24 * HOUR],
  ['Thu, 01 Jan 2026 13:00:00 GMT', HOUR],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['Fri, 01 Jan 2027 12:00:00 GMT', 24 * HOUR],
  ['Thu, 99 Jan 2026 13:00:00 GMT', null],
  ['2026-01-01T13:00:00Z', null],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
]

for (const [header, wait] of RETRY_AFTER) {
  test(`Retry-After: ${header.slice(0, 40)} means ${wait === null ? 'nothing' : `${wait / 1000} s`}`, () => {
    assert.equal(retryAfterMilliseconds(header, NOW), wait)
  })
}

test('who asks for more time gets it, who asks for less does not', () => {
  assert.equal(nextAttemptAt(1, NOW, MIDDLE, '3600'), NOW + HOUR)
  assert.equal(nextAttemptAt(6, NOW, MIDDLE, '1'), NOW + 2 * HOUR)
  assert.equal(nextAttemptAt(1, NOW, MIDDLE, 'soon'), NOW + 5000)
  assert.equal(nextAttemptAt(12, NOW, MIDDLE, '3600'), null)
})

for (const { name, text, kept } of [
  { name: 'nothing as nothing', text: null, kept: null },
  { name: 'a short answer as it is', text: 'Ọ̀kẹ́ \u{1F30D}', kept: 'Ọ̀kẹ́ \u{1F30D}' },
  { name: 'the first 1,024 characters', text: 'x'.repeat(1_025), kept: 'x'.repeat(1_024) },
  {
    name: 'no half of a pair where it is cut',
    text: `${'x'.repeat(1_023)}\u{1F30D}`,
    kept: `${'x'.repeat(1_023)}\ufffd`,
  },
  { name: 'no NUL', text: 'a\0b', kept: 'a\ufffdb' },
]) {
  test(`of what an endpoint says is kept ${name}`, () => assert.equal(storableExcerpt(text), kept))
}

describe('schedule', () => {
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
      [
        'hourly: what comes at the hour waits for the next',
        [{ digest: HOURLY }, 'low', lagos('10:00')],
        lagos('11:00'),
      ],
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
})
