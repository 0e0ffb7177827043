import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptFiles } from '../../src/downloads/kept-files.ts'

test('keeps no more memory than it counts', () => {
  const files = new KeptFiles()
  const chunk = new Uint8Array(1000)
  const gathered = files.gather('month.csv', 1)!
  gathered.add(chunk.subarray(0, 100))
  gathered.add(Buffer.from('a'.repeat(50)))
  gathered.keep()
  const parts = files.partsOf('month.csv', 1)!
  assert.equal(files.size, 150)
  assert.deepEqual(
    parts.map(({ buffer }) => buffer.byteLength),
    [100, 50],
  )
  chunk.fill(7)
  assert.ok(parts[0]!.every((byte) => byte === 0))
})
