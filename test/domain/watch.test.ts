import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyWatchPatch, hostOf, type Watch, type WatchPatch } from '../../src/domain/watch.ts'

const WATCH: Watch = {
  id: 'wat_1',
  accountId: 'acc_1',
  name: 'Roads',
  url: 'https://example.org/hook',
  description: 'North-west',
  filter: { given: '{}', canonical: '{}' },
  events: ['incident.created'],
  status: 'active',
  disabledReason: null,
  secret: 'whsec_1',
  previousSecret: 'whsec_0',
  previousSecretExpiresAt: 50,
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
    name: 'a new secret, beside which the old one stays for a while',
    patch: { rotation: { secret: 'whsec_2', previousExpiresAt: 99 } },
    changes: { secret: 'whsec_2', previousSecret: 'whsec_1', previousSecretExpiresAt: 99 },
  },
]

for (const { name, watch = WATCH, patch, changes } of cases) {
  test(`a watch takes ${name}`, () => {
    assert.deepEqual(applyWatchPatch(watch, patch, 60), { ...watch, ...changes, updatedAt: 60 })
  })
}

test("a watch's host has its port, where that is not the usual one, and no capitals", () => {
  assert.equal(hostOf({ url: 'https://Hooks.Example.org/a?b' }), 'hooks.example.org')
  assert.equal(hostOf({ url: 'https://example.org:443/' }), 'example.org')
  assert.equal(hostOf({ url: 'http://example.org:8080/' }), 'example.org:8080')
})
