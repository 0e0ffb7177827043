import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Incident } from '../../../../src/domain/incident.ts'
import { incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { created, documentsOf, NOW, reported, retracted, seeded, updated } from '../../fixtures.ts'

export function snapshotsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('a snapshot', () => {
    it('of nothing is empty', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const snapshot = await store.incidents.snapshot()
      assert.deepEqual(snapshot.head, { seq: 0, at: 0 })
      assert.deepEqual(snapshot.retracted, [])
      assert.deepEqual(await documentsOf(snapshot), [])
    })

    it('has public incidents only, and the ids of retracted ones', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), reported(2), created(3), created(4)], NOW)
      await store.incidents.save([retracted(3, 2), updated(4, 2, { summary: 'ẹ̀kọ́' })], NOW)
      const snapshot = await store.incidents.snapshot()
      assert.deepEqual(snapshot.head, { seq: 5, at: NOW })
      assert.deepEqual(snapshot.retracted, [incidentId(3)])
      assert.deepEqual(await documentsOf(snapshot), [
        JSON.stringify(created(1).incident),
        JSON.stringify(updated(4, 2, { summary: 'ẹ̀kọ́' }).incident),
      ])
    })

    it('is in published order, then by the bytes of the id, over many chunks', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const random = seeded(7)
      const incidents = Array.from({ length: 3_000 }, (_, number) => {
        // Few distinct times, so that many have the same; capitals and minus sort differently in a
        // dictionary order.
        const published_at = new Date(NOW + Math.floor(random() * 40)).toISOString()
        const id = `inc_${'aBz-_A9é'[Math.floor(random() * 8)]}${number}`
        return created(number, { id, published_at, summary: 'é'.repeat(Math.floor(random() * 2_000)) })
      })
      await store.incidents.save(incidents, NOW)
      const documents = await documentsOf(await store.incidents.snapshot())
      const expected = incidents.map((change) => change.incident).sort(inPublishedOrder)
      assert.deepEqual(
        documents,
        expected.map((incident) => JSON.stringify(incident)),
      )
    })

    it('includes times before 1970', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const early = created(1, { published_at: '1967-07-06T00:00:00.000Z' })
      await store.incidents.save([created(2), early], NOW)
      const documents = await documentsOf(await store.incidents.snapshot())
      assert.deepEqual(documents[0], JSON.stringify(early.incident))
    })

    it('stays as of its seq while others write', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await using other = database.shared ? await database.open() : null
      const writer = other ?? store
      const first = Array.from({ length: 4_000 }, (_, number) => created(number + 1))
      await store.incidents.save(first, NOW)
      const snapshot = await store.incidents.snapshot()
      let written = 4_000
      const documents: string[] = []
      for await (const { bytes, ends } of snapshot.chunks) {
        await writer.incidents.save(
          [created(++written), updated(written - 4_000, 2), retracted(4_000 - written + 4_001, 2)],
          NOW,
        )
        let start = 0
        for (const end of ends) {
          documents.push(Buffer.from(bytes.subarray(start, end)).toString())
          start = end
        }
      }
      assert(written > 4_002, 'there were several chunks to write between')
      assert.equal(snapshot.head.seq, 4_000)
      assert.deepEqual(
        documents,
        first.map((change) => JSON.stringify(change.incident)),
      )
    })

    it('may be closed in the middle or before the first chunk, and leaves nothing open', async () => {
      await using database = await newDatabase()
      await using store = await database.open({ postgres: { connections: 2 } })
      await store.incidents.save([created(1)], NOW)
      for (let round = 0; round < 5; round++) {
        const unread = await store.incidents.snapshot()
        await unread.chunks[Symbol.asyncIterator]().return?.()
        const started = await store.incidents.snapshot()
        for await (const _ of started.chunks) break
      }
      assert.equal((await store.incidents.find(incidentId(1)))?.id, incidentId(1))
    })

    it('may be read at the same time as another', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1)], NOW)
      const one = await store.incidents.snapshot()
      await store.incidents.save([created(2)], NOW)
      const two = await store.incidents.snapshot()
      assert.deepEqual([one.head.seq, two.head.seq], [1, 2])
      assert.equal((await documentsOf(two)).length, 2)
      assert.equal((await documentsOf(one)).length, 1)
    })
  })
}

function inPublishedOrder(a: Incident, b: Incident): number {
  const byTime = Date.parse(a.published_at!) - Date.parse(b.published_at!)
  return byTime || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
}
