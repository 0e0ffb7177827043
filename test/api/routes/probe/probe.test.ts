import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { PROBE_HEADER, type ProbeAnswer, proofFor, signProbe } from '../../../../src/api/status.ts'
import { newTipSecret } from '../../../../src/desk/tips/challenges.ts'
import { problemOf, startTestApp } from '../../../support/app.ts'

const PATH = '/healthz/probe'
const nonce = () => randomBytes(16).toString('base64url')

test('who knows the secret of the database learns how a request arrived, with a proof', async () => {
  await using service = await startTestApp({ TRUST_PROXY: 'loopback' })
  const secret = await service.store.tips.secret(newTipSecret())
  const token = signProbe(secret, Date.now(), nonce())
  const headers = { [PROBE_HEADER]: token, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }
  const response = await service.get(PATH, null, headers)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.deepEqual((await response.json()) as ProbeAnswer, {
    client_address: '198.51.100.7',
    connection_address: '127.0.0.1',
    connection_is_trusted: true,
    forwarded_for: '203.0.113.9, 198.51.100.7',
    proof: proofFor(secret, token, Date.now()),
  })
})

test('for everybody else the path does not exist', async () => {
  await using service = await startTestApp()
  const secret = await service.store.tips.secret(newTipSecret())
  const valid = signProbe(secret, Date.now(), nonce())
  const tokens = [
    null,
    '',
    'x',
    signProbe('another secret', Date.now(), nonce()),
    signProbe(secret, Date.now() - 10 * 60_000, nonce()),
    signProbe(secret, Date.now() + 10 * 60_000, nonce()),
    `${valid.slice(0, -1)}${valid.endsWith('A') ? 'B' : 'A'}`,
    valid.replace(/^\d+/, String(Date.now() + 1)),
  ]
  for (const token of tokens) {
    const response = await service.get(PATH, null, token === null ? {} : { [PROBE_HEADER]: token })
    assert.equal((await problemOf(response)).code, 'not_found', String(token))
  }
})

test('a proof belongs to one request: it is no token, and no other request has it', () => {
  const token = signProbe('secret', 1_800_000_000_000, nonce())
  const other = signProbe('secret', 1_800_000_000_000, nonce())
  const proof = proofFor('secret', token, 1_800_000_000_000)
  assert.notEqual(proof, null)
  assert.notEqual(proof, proofFor('secret', other, 1_800_000_000_000))
  assert.ok(!token.includes(proof!))
})

test('probes count for the address as everything without a key', async () => {
  await using service = await startTestApp({ RATE_LIMIT_ADDRESS: '2' })
  const statuses = []
  for (let number = 0; number < 3; number++)
    statuses.push((await service.get(PATH, null, { [PROBE_HEADER]: 'x' })).status)
  assert.deepEqual(statuses, [404, 404, 429])
})
