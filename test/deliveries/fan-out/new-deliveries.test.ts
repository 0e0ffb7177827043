import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pooledRandomBytes } from '../../../src/deliveries/fan-out.ts'

it('pooled random bytes never repeat over several refills, and do not change afterwards', () => {
  const given = Array.from({ length: 1000 }, () => pooledRandomBytes(16))
  const texts = given.map((bytes) => Buffer.from(bytes).toString('hex'))
  assert.ok(given.every((bytes) => bytes.length === 16))
  assert.equal(new Set(texts).size, 1000)
  for (let more = 0; more < 1000; more++) pooledRandomBytes(16)
  assert.deepEqual(
    given.map((bytes) => Buffer.from(bytes).toString('hex')),
    texts,
  )
})
