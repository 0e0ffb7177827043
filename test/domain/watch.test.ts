import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withOwnHeaders } from '../../src/deliveries/send/message.ts'
import { RETRY_DELAYS } from '../../src/domain/retry.ts'
import { applyWatchPatch, hostOf, validSecrets, type Watch, type WatchPatch } from '../../src/domain/watch.ts'
import {
  changedHeaders,
  headerNameFault,
  headersLeavingOrigin,
  maskedHeaders,
  unknownHeaders,
} from '../../src/domain/watch-headers.ts'
import {
  disabledReason,
  type FailureHistory,
  historyAfter,
  NO_FAILURES,
  warningsDue,
} from '../../src/domain/watch-health.ts'

const WATCH: Watch = {
  id: 'wat_1',
  accountId: 'acc_1',
  name: 'Roads',
  channel: 'webhook',
  url: 'https://example.org/hook',
  description: 'North-west',
  filter: { given: '{}', canonical: '{}' },
  events: ['incident.created'],
  status: 'active',
  disabledReason: null,
  secrets: [
    { secret: 'whsec_1', expiresAt: null },
    { secret: 'whsec_0', expiresAt: 80 },
    { secret: 'whsec_expired', expiresAt: 50 },
  ],
  headers: [],
  schedule: null,
  createdAt: 1,
  updatedAt: 1,
  createdSeq: 7,
  sequence: 3,
  failingSince: 40,
}

const OFF: Watch = { ...WATCH, status: 'disabled', disabledReason: 'gone' }

const cases: { name: string; watch?: Watch; patch: WatchPatch; changes: Partial<Watch> }[] = [
  { name: 'nothing', patch: {}, changes: {} },
  { name: 'one field', patch: { name: 'Rail' }, changes: { name: 'Rail' } },
  { name: 'a description taken away', patch: { description: null }, changes: { description: null } },
  {
    name: 'a pause, which keeps since when it has been failing',
    patch: { status: 'paused' },
    changes: { status: 'paused' },
  },
  {
    name: 'disabling, with its reason',
    patch: { status: 'disabled', disabledReason: 'failing' },
    changes: { status: 'disabled', disabledReason: 'failing' },
  },
  {
    name: 'taking up again, with a clean slate',
    watch: OFF,
    patch: { status: 'active' },
    changes: { status: 'active', disabledReason: null, failingSince: null },
  },
  { name: 'activating what is active, which changes nothing', patch: { status: 'active' }, changes: {} },
  {
    name: 'a new secret, beside which all that are still valid stay for a while',
    patch: { rotation: { secret: 'whsec_2', previousExpiresAt: 99 } },
    changes: {
      secrets: [
        { secret: 'whsec_2', expiresAt: null },
        { secret: 'whsec_1', expiresAt: 99 },
        { secret: 'whsec_0', expiresAt: 80 },
      ],
    },
  },
  {
    name: 'a new secret that ends all others at once',
    patch: { rotation: { secret: 'whsec_2', previousExpiresAt: 60 } },
    changes: { secrets: [{ secret: 'whsec_2', expiresAt: null }] },
  },
]

for (const { name, watch = WATCH, patch, changes } of cases) {
  test(`a watch takes ${name}`, () => {
    assert.deepEqual(applyWatchPatch(watch, patch, 60), { ...watch, ...changes, updatedAt: 60 })
  })
}

test('messages are signed with every secret that has not expired, the current one first', () => {
  assert.deepEqual(validSecrets(WATCH.secrets, 79), ['whsec_1', 'whsec_0'])
  assert.deepEqual(validSecrets(WATCH.secrets, 80), ['whsec_1'])
})

test("a watch's host has its port, where that is not the usual one, and no capitals", () => {
  assert.equal(hostOf({ url: 'https://Hooks.Example.org/a?b' }), 'hooks.example.org')
  assert.equal(hostOf({ url: 'https://example.org:443/' }), 'example.org')
  assert.equal(hostOf({ url: 'http://example.org:8080/' }), 'example.org:8080')
})

describe('watch headers', () => {
  const BEFORE = [
    { name: 'X-Team', value: 'roads' },
    { name: 'Authorization', value: 'Bearer a' },
  ]

  test('a change names all headers, and keeps values of any case', () => {
    const changes = [
      { name: 'x-team', value: null },
      { name: 'X-New', value: 'new' },
    ]
    assert.deepEqual(unknownHeaders(BEFORE, changes), [])
    assert.deepEqual(changedHeaders(BEFORE, changes), [
      { name: 'x-team', value: 'roads' },
      { name: 'X-New', value: 'new' },
    ])
    assert.deepEqual(unknownHeaders(BEFORE, [{ name: 'X-Other', value: null }]), ['X-Other'])
    assert.deepEqual(changedHeaders(BEFORE, []), [])
  })

  test('values stay at the origin that they were given for', () => {
    const before = { url: 'https://a.example/hook', headers: BEFORE }
    const kept = [
      { name: 'x-team', value: null },
      { name: 'Authorization', value: 'Bearer b' },
    ]
    const names = ['X-Team', 'Authorization']
    for (const url of [
      'https://b.example/hook',
      'http://a.example/hook',
      'https://a.example:8443/',
      'https://x.a.example',
    ]) {
      assert.deepEqual(headersLeavingOrigin(before, { url }), names, url)
      assert.deepEqual(headersLeavingOrigin(before, { url, headers: kept }), ['x-team'], url)
      assert.deepEqual(headersLeavingOrigin(before, { url, headers: kept.slice(1) }), [], url)
      assert.deepEqual(headersLeavingOrigin({ ...before, headers: [] }, { url }), [], url)
    }
    for (const url of ['https://a.example/other', 'https://A.example:443/hook'])
      assert.deepEqual(headersLeavingOrigin(before, { url }), [], url)
    assert.deepEqual(headersLeavingOrigin(before, { headers: kept }), [])
  })

  test('authorization and cookies are the owner’s', () => {
    for (const name of ['Authorization', 'Cookie', 'X-Api-Key', 'X-Host', 'Contents'])
      assert.equal(headerNameFault(name), null)
    for (const name of ['HOST', 'content-', 'Webhook-Anything', 'transfer-Encoding'])
      assert.match(headerNameFault(name)!, /cannot be set/)
  })

  test('no header replaces one of the service, even if it is stored', () => {
    const ours = { 'webhook-id': 'msg_1' }
    const stored = [...BEFORE, { name: 'Webhook-Id', value: 'msg_2' }, { name: 'Host', value: 'evil.example' }]
    assert.deepEqual(Object.entries(withOwnHeaders(ours, stored)), [
      ['webhook-id', 'msg_1'],
      ['X-Team', 'roads'],
      ['Authorization', 'Bearer a'],
    ])
    assert.equal(withOwnHeaders(ours, []), ours)
    assert.deepEqual(maskedHeaders(BEFORE), { 'X-Team': '***', Authorization: '***' })
  })
})

describe('watch health', () => {
  const START = Date.UTC(2026, 0, 1)
  const HOUR = 3_600_000
  const DAY = 24 * HOUR

  /** The history after failures at these hours, and the last one's time. */
  function failedAt(hours: readonly number[], before: FailureHistory = NO_FAILURES) {
    const history = hours.reduce(
      (earlier, hour) => historyAfter(earlier, { delivered: false, at: START + hour * HOUR }),
      before,
    )
    return { history, now: START + hours.at(-1)! * HOUR }
  }

  /** The hours at which one delivery is attempted, without jitter. */
  const ONE_DELIVERY = [0, ...RETRY_DELAYS.map((_, index) => sumOf(RETRY_DELAYS.slice(0, index + 1)) / HOUR)]

  function sumOf(values: readonly number[]): number {
    return values.reduce((sum, value) => sum + value, 0)
  }

  const cases: { name: string; hours: readonly number[]; reason: 'failing' | null }[] = [
    { name: 'one failure', hours: [0], reason: null },
    { name: 'an old failure and one now', hours: [0, 6 * 24], reason: null },
    {
      name: 'an old failure and an outage of ten minutes',
      hours: [0, 144, 144.01, 144.02, 144.1, 144.2],
      reason: null,
    },
    { name: 'all attempts of one delivery', hours: ONE_DELIVERY, reason: null },
    { name: 'all attempts of a delivery a month ago and one now', hours: [...ONE_DELIVERY, 30 * 24], reason: null },
    {
      name: 'five failures within an hour, five days after the first',
      hours: [0, 120, 120.2, 120.4, 120.6],
      reason: null,
    },
    { name: 'an attempt every day for less than five days', hours: [0, 24, 48, 72, 96, 119], reason: null },
    { name: 'an attempt every day for five days', hours: [0, 24, 48, 72, 96, 120], reason: 'failing' },
    {
      name: 'an attempt every minute for five days',
      hours: Array.from({ length: 5 * 24 * 60 + 1 }, (_, minute) => minute / 60),
      reason: 'failing',
    },
  ]

  for (const { name, hours, reason } of cases) {
    test(`${name} ${reason === null ? 'does not disable a watch' : 'disables a watch'}`, () => {
      const { history, now } = failedAt(hours)
      assert.equal(disabledReason(history, false, now), reason)
    })
  }

  test('one success makes all well again', () => {
    const { history } = failedAt([0, 24, 48, 72, 96])
    const well = historyAfter(history, { delivered: true, at: START + 100 * HOUR })
    assert.deepEqual(well, NO_FAILURES)
    const { history: after, now } = failedAt([120], well)
    assert.deepEqual([after.failingSince, disabledReason(after, false, now)], [START + 120 * HOUR, null])
  })

  test('410 from the current URL disables a watch at once', () => {
    const { history, now } = failedAt([0])
    assert.equal(disabledReason(history, true, now), 'gone')
  })

  test('an owner is warned after one day and after four, and only of repeated failures', () => {
    const due = (hours: readonly number[]) => {
      const { history, now } = failedAt(hours)
      return warningsDue(history, now)
    }
    assert.deepEqual(
      [due([0]), due([0, 30]), due([0, 12, 23]), due([0, 12, 24]), due([0, 24, 48, 95]), due([0, 24, 48, 96])],
      [0, 0, 0, 1, 1, 2],
    )
  })

  test('a history stays small, however often a watch fails', () => {
    const { history } = failedAt(Array.from({ length: 20_000 }, (_, index) => index / 10))
    assert.ok(history.failures.length <= 21)
    assert.equal(history.failingSince, START)
    assert.ok(history.failures[0]! > START + 1999 * HOUR - 5 * DAY)
  })
})
