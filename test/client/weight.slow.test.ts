import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { bundleForBrowser } from './support/bundle.ts'

const MAX_BYTES = 12_000

test(`the whole client weighs less than ${MAX_BYTES} bytes in a browser`, async (context) => {
  const code = await bundleForBrowser("export * from 'client'")
  const { length } = gzipSync(code, { level: 9 })
  context.diagnostic(`${length} bytes compressed, ${code.length} before`)
  assert.match(code, /IncidentFeed/)
  assert.match(code, /unwrap/)
  assert.ok(length < MAX_BYTES, `${length} bytes`)
})

test('whoever only verifies webhooks gets nothing else', async () => {
  const code = await bundleForBrowser("export { unwrap } from 'client'")
  assert.doesNotMatch(code, /v1\/incidents/)
})
