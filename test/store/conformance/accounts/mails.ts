import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EmptyDatabase } from '../../empty-database.ts'

export function mailsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('mails', () => {
    it('are counted per subject and day up to the maximum, whatever many callers do at once', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const counted = await Promise.all(Array.from({ length: 12 }, () => store.mails.countMail('ada', '2026-11-15', 5)))
      assert.equal(counted.filter(Boolean).length, 5)
      assert.equal(await store.mails.countMail('ada', '2026-11-16', 5), true)
      assert.equal(await store.mails.countMail('obi', '2026-11-15', 5), true)
      assert.equal(await store.mails.countMail('none', '2026-11-15', 0), false)
    })

    it('stay counted when the store is opened again, until their day is deleted', async () => {
      await using database = await newDatabase()
      if (!database.shared) return
      {
        await using store = await database.open()
        assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), true)
      }
      await using store = await database.open()
      assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), false)
      await store.mails.deleteBefore('2026-11-15')
      assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), false)
      await store.mails.deleteBefore('2026-11-16')
      assert.equal(await store.mails.countMail('ada', '2026-11-15', 1), true)
    })
  })
}
