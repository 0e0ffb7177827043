import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AT_ONCE,
  type ShownSchedule,
  scheduleFormOf,
  scheduleMembers,
  scheduleText,
} from '../../../web/console/schedule/schedule-form.ts'

const none = { every: 'none', hour: null, break_severity: null } as const
const shown: readonly ShownSchedule[] = [
  { digest: none, quiet_hours: null },
  { digest: { every: 'hourly', hour: null, break_severity: 'high' }, quiet_hours: null },
  {
    digest: { every: 'daily', hour: 18, break_severity: null },
    quiet_hours: { from: '23:15', until: '05:00', break_severity: null },
  },
]

test('a schedule that is opened and saved unchanged stays as it is', () => {
  assert.deepEqual(
    shown.map((each) => scheduleMembers(scheduleFormOf(each))),
    [
      { digest: { every: 'none' }, quiet_hours: null },
      { digest: { every: 'hourly', break_severity: 'high' }, quiet_hours: null },
      {
        digest: { every: 'daily', hour: 18, break_severity: null },
        quiet_hours: { from: '23:15', until: '05:00', break_severity: null },
      },
    ],
  )
})

test('a new watch sends at once; grave incidents do not wait unless one says so', () => {
  assert.deepEqual(scheduleMembers(AT_ONCE), { digest: { every: 'none' }, quiet_hours: null })
  assert.deepEqual(scheduleMembers({ ...AT_ONCE, every: 'daily', isQuiet: true }), {
    digest: { every: 'daily', hour: 7, break_severity: 'critical' },
    quiet_hours: { from: '22:00', until: '06:00', break_severity: 'critical' },
  })
})

test('a schedule is told in a sentence', () => {
  assert.deepEqual(shown.map(scheduleText), [
    null,
    'Every hour (Lagos).',
    'Once a day at 18:00, quiet from 23:15 to 05:00 (Lagos).',
  ])
})
