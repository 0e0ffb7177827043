import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CachedReading } from '../../../src/lib/async/cached-reading.ts'

test('a value is read once in its time, however many ask, and a failure is kept as long', async () => {
  let now = 0
  let reads = 0
  let fails = false
  const reading = new CachedReading(
    async () => {
      reads++
      if (fails) throw new Error('away')
      return reads
    },
    1000,
    () => now,
  )
  assert.deepEqual(await Promise.all([reading.get(), reading.get(), reading.get()]), [1, 1, 1])
  now = 999
  assert.equal(await reading.get(), 1)
  now = 1000
  fails = true
  await assert.rejects(() => reading.get(), /away/)
  fails = false
  await assert.rejects(() => reading.get(), /away/)
  assert.equal(reads, 2)
  now = 2000
  assert.equal(await reading.get(), 3)
})
