import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerTrimmer, enforceTotalBounds } from '../../src/accounts/idempotency-bounds.ts'
import { claimAs, NOW } from '../store/fixtures.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'

const BOUNDS = { entries: 10, bytes: 1_000 }

test("a subject's answers are trimmed after a hundred of them, or a mebibyte", async () => {
  const trimmed: string[] = []
  const idempotency = {
    trim: async (subject: string) => {
      trimmed.push(subject)
      return 0
    },
  }
  const trimmer = new AnswerTrimmer()
  for (let count = 1; count <= 99; count++) await trimmer.countAnswer(idempotency, 'many', BOUNDS, 10)
  await trimmer.countAnswer(idempotency, 'large', BOUNDS, 1 << 19)
  assert.deepEqual(trimmed, [])
  await trimmer.countAnswer(idempotency, 'many', BOUNDS, 10)
  await trimmer.countAnswer(idempotency, 'large', BOUNDS, 1 << 19)
  await trimmer.countAnswer(idempotency, 'many', BOUNDS, 10)
  assert.deepEqual(trimmed, ['many', 'large'])
})

test('above the total, the subjects with the most answers lose their oldest, and others nothing', async () => {
  await using store = await openMemoryStore()
  const { idempotency } = store
  const store100 = async (subject: string, count: number) => {
    for (let number = 1; number <= count; number++) {
      const holder = { id: `${subject} ${number}`, token: 'token' }
      await claimAs(idempotency, holder.id, NOW + number, { subject, ...holder })
      await idempotency.finish(holder, new Uint8Array(100))
    }
  }
  for (let number = 1; number <= 25; number++) await store100(`small ${number}`, 2)
  await store100('attacker 1', 80)
  await store100('attacker 2', 80)
  await enforceTotalBounds(idempotency, { entries: 150, bytes: 1_000_000 })
  const { entries, largest } = await idempotency.usage(30)
  assert.ok(entries <= 150, `${entries} entries`)
  const small = largest.filter(({ subject }) => subject.startsWith('small'))
  assert.equal(small.length, 25)
  assert.equal((await claimAs(idempotency, 'attacker 1 80', NOW)).state, 'finished')
  await enforceTotalBounds(idempotency, { entries: 10_000, bytes: 5_000 })
  assert.ok((await idempotency.usage(1)).bytes <= 5_000)
})
