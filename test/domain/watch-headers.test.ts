import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOwnHeaders } from '../../src/deliveries/send/message.ts'
import {
  changedHeaders,
  headerNameFault,
  headersLeavingOrigin,
  maskedHeaders,
  unknownHeaders,
} from '../../src/domain/watch-headers.ts'

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
