import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Watch } from '../../../client/src/generated/types.ts'
import { EMPTY_TAIL, setPaused, type TailEvent, withEvent } from '../../../web/console/tail.ts'
import { conditionLabel, incidentIdIn, valueText } from '../../../web/console/watches/explanation.ts'
import { headersOf, newRow, rowsOf } from '../../../web/console/watches/header-rows.ts'
import { AT_ONCE, scheduleFormOf, scheduleMembers, scheduleText } from '../../../web/console/watches/schedule-form.ts'

const written = (name: string, value: string) => ({ ...newRow(name), value })

test('headers are what was written; empty rows are left out', () => {
  assert.deepEqual(headersOf([]), {})
  assert.deepEqual(headersOf([written(' X-Token ', 'a b'), newRow(), written('__proto__', 'c')]), {
    'X-Token': 'a b',
    ['__proto__']: 'c',
  })
})

test('a stored value stays unless another is written', () => {
  const [token, team] = rowsOf({ 'X-Token': '***', 'X-Team': '***' })
  assert.deepEqual(headersOf([token!, { ...team!, value: 'roads' }]), { 'X-Token': '***', 'X-Team': 'roads' })
  assert.deepEqual(headersOf([team!]), { 'X-Team': '***' })
})

test('a row that cannot be sent is said in words', () => {
  assert.throws(() => headersOf([written('', 'value')]), /has a value but no name/)
  assert.throws(() => headersOf([written('X-Token', '')]), /X-Token has no value/)
  assert.throws(() => headersOf([...rowsOf({ 'X-Token': '***' }), written('x-token', 'b')]), /x-token is there twice/)
})

const none = { every: 'none', hour: null, break_severity: null } as const
const shown: readonly Pick<Watch, 'digest' | 'quiet_hours'>[] = [
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

test('an id is found in the address of an incident, and other text stays for the service to refuse', () => {
  const id = 'inc_01jd8z0c5xq3v7m2k9h4t6w8ra'
  for (const text of [id, ` ${id}\n`, `https://feed.example/incidents/${id}?lang=ha#map`]) {
    assert.equal(incidentIdIn(text), id)
  }
  assert.equal(incidentIdIn(' Kaduna '), 'Kaduna')
  assert.equal(incidentIdIn('  '), '')
})

test('conditions and their values are put into words', () => {
  assert.equal(conditionLabel('lga'), 'LGA')
  assert.equal(conditionLabel('occurred_from'), 'occurred_from')
  assert.equal(valueText('type', ['kidnapping', 'protest']), 'Kidnapping or Protest')
  assert.equal(valueText('state', ['Kaduna']), 'Kaduna')
  assert.equal(valueText('lga', null), 'nothing')
  assert.equal(valueText('min_confidence', 0.5), '0.5')
  assert.equal(valueText('bbox', [3, 6, 4, 7]), 'latitude 6 to 7, longitude 3 to 4')
  assert.equal(valueText('near', { lat: 10.5, lng: 7.4, radius_km: 25 }), 'within 25 km of 10.5, 7.4')
  assert.equal(valueText('polygon', { lat: 10.5, lng: 7.4 }), '10.5, 7.4')
  assert.equal(valueText('later', { any: 1 }), '{"any":1}')
})

function event(seq: number): TailEvent {
  return { seq, event: 'incident.created', incident: null, text: '{}', at: seq }
}

const seqs = (events: readonly TailEvent[]) => events.map(({ seq }) => seq)

test('the newest event comes first, and 200 are kept', () => {
  let state = EMPTY_TAIL
  for (let seq = 1; seq <= 250; seq++) state = withEvent(state, event(seq))
  assert.equal(state.events.length, 200)
  assert.equal(state.events[0]!.seq, 250)
})

test('what comes during a pause waits, and is shown in order afterwards', () => {
  let state = setPaused(withEvent(EMPTY_TAIL, event(1)), true)
  state = withEvent(withEvent(state, event(2)), event(3))
  assert.deepEqual(seqs(state.events), [1])
  assert.deepEqual(seqs(state.waiting), [3, 2])
  state = setPaused(state, false)
  assert.deepEqual(seqs(state.events), [3, 2, 1])
  assert.deepEqual(state.waiting, [])
})
