import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyWatchPatch, hostOf, validSecrets, type Watch, type WatchPatch } from '../../src/domain/watch.ts'

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
