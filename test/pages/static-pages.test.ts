import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { inTurn } from '../../src/api/response.ts'
import { startTestApp } from '../support/app.ts'

test('the reference and the OpenAPI document are written once, compressed, and not sent again to those who have them', async () => {
  await using app = await startTestApp()
  for (const path of ['/docs', '/openapi.json']) {
    const first = await app.get(path, null, { 'accept-encoding': 'br' })
    assert.deepEqual([first.status, first.headers.get('content-encoding')], [200, 'br'])
    const etag = first.headers.get('etag')!
    const again = await app.get(path, null, { 'if-none-match': etag })
    assert.equal(again.status, 304)
    assert.equal((await app.get(path, null, { 'accept-encoding': 'identity' })).headers.get('etag'), etag)
  }
})

test('compression leaves a core to requests, however many answers wait for it', async () => {
  let running = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      inTurn(async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return index
      }),
    ),
  )
  assert.equal(most, Math.max(1, Math.min(3, availableParallelism() - 1)))
  assert.deepEqual(
    results,
    Array.from({ length: 50 }, (_, index) => index),
  )
})
