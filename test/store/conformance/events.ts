import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import { RESTORE_GAP } from '../../../src/store/queries/incidents.ts'
import { incidentId } from '../../support/incident.ts'
import type { EmptyDatabase } from '../empty-database.ts'
import { created, documentsOf, imported, NOW, reported, retracted, seeded, until, updated } from '../fixtures.ts'
import { watchId, withWatches } from '../watch-fixtures.ts'

export function eventsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the event log', () => {
    it('begins at 0', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.deepEqual(await store.events.head(), { seq: 0, at: 0 })
      assert.deepEqual(await store.events.after(0, 10), [])
    })

    it('is read in pages from any position', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const number of [1, 2, 3, 4, 5]) await store.incidents.save([created(number)], NOW)
      const seqs = async (seq: number, limit: number) =>
        (await store.events.after(seq, limit)).map((event) => event.seq)
      assert.deepEqual(await seqs(0, 2), [1, 2])
      assert.deepEqual(await seqs(2, 10), [3, 4, 5])
      assert.deepEqual(await seqs(5, 10), [])
      assert.deepEqual(await seqs(99, 10), [])
    })

    it('keeps each document as of its event, but an imported one in its current state', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), imported(2)], NOW)
      await store.incidents.save([updated(1, 2), updated(2, 2)], NOW)
      await store.incidents.save([retracted(1, 3)], NOW)
      const events = await store.events.after(0, 10)
      assert.deepEqual(
        events.map(({ kind, document }) => [kind, JSON.parse(document).version]),
        [
          ['incident.created', 1],
          ['incident.imported', 2],
          ['incident.updated', 2],
          ['incident.updated', 2],
          ['incident.retracted', 3],
        ],
      )
    })

    it('skips ahead after a restore, and knows which positions were lost', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      for (const number of [1, 2, 3]) await store.incidents.save([created(number)], NOW)
      const resumed = 3 + RESTORE_GAP
      assert.deepEqual(await store.events.skipAhead(RESTORE_GAP), { seq: resumed, at: NOW })
      assert.equal((await store.watches.find('acc_1', watchId(1)))?.sequence, RESTORE_GAP)
      const lost = async () =>
        Promise.all([0, 1, 3, 4, resumed - 1, resumed, resumed + 1].map(store.events.lastBeforeGap))
      assert.deepEqual(await lost(), [null, null, null, 3, 3, null, null])
      const [event] = await store.incidents.save([created(4)], NOW)
      assert.equal(event?.seq, resumed + 1)
      assert.deepEqual(await lost(), [null, null, null, 3, 3, null, null])
      assert.deepEqual(
        (await store.events.after(2, 10)).map(({ seq }) => seq),
        [3, resumed + 1],
      )
    })

    it('of a store restored before its first event starts after the gap', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.events.skipAhead(RESTORE_GAP)
      assert.equal(await store.events.lastBeforeGap(1), 0)
    })

    it('has times that never decrease, even if the clock is set back', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      for (const now of [NOW, NOW - 5_000, NOW + 1, NOW]) {
        const number = (await store.events.head()).seq + 1
        await store.incidents.save([created(number)], now)
      }
      const events = await store.events.after(0, 10)
      assert.deepEqual(
        events.map((event) => event.at),
        [NOW, NOW, NOW + 1, NOW + 1],
      )
    })

    it('leaves a time far in the future once the clock is right again, but not for a clock of long ago', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const year = 365 * 86_400_000
      for (const now of [NOW + 10 * year, NOW, NOW - 3_600_000, 0, NOW + 1]) {
        const number = (await store.events.head()).seq + 1
        await store.incidents.save([created(number)], now)
      }
      const events = await store.events.after(0, 10)
      assert.deepEqual(
        events.map((event) => event.at),
        [NOW + 10 * year, NOW, NOW, NOW, NOW + 1],
      )
    })

    it('notifies listeners after an append, until they unsubscribe', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      let woken = 0
      let others = 0
      const stop = store.events.onAppend(() => woken++)
      const stopOther = store.events.onAppend(() => others++)
      await store.incidents.save([created(1)], NOW)
      await until(() => woken > 0 && others > 0)
      stop()
      const before = { woken, others }
      await store.incidents.save([created(2)], NOW)
      await until(() => others > before.others)
      assert.equal(woken, before.woken)
      stopOther()
      stopOther()
    })

    it('notifies listeners of another store on the same database', async (test) => {
      await using database = await newDatabase()
      if (!database.shared) return test.skip('the database cannot be shared')
      await using store = await database.open()
      await using other = await database.open({ sqlite: { pollInterval: 5 } })
      let seen = 0
      const stop = other.events.onAppend(async () => {
        seen = (await other.events.head()).seq
      })
      for (const number of [1, 2, 3]) {
        await store.incidents.save([created(number)], NOW)
        await until(() => seen === number)
      }
      stop()
    })

    it('returns the document of an incident before an event', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1, { summary: 'First' })], NOW)
      await store.incidents.save([imported(2)], NOW)
      await store.incidents.save([updated(1, 2, { summary: 'Second' })], NOW)
      const summaryBefore = async (number: number, seq: number) => {
        const document = await store.events.documentBefore(incidentId(number), seq)
        return document === null ? null : (JSON.parse(document) as { summary: string }).summary
      }
      assert.equal(await summaryBefore(1, 4), 'Second')
      assert.equal(await summaryBefore(1, 3), 'First')
      assert.equal(await summaryBefore(1, 1), null)
      assert.equal(await summaryBefore(2, 9), null, 'an import')
    })

    it('returns the versions of an incident before an event, newest first', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1, { summary: 'First' }), imported(2)], NOW)
      await store.incidents.save([updated(1, 2, { summary: 'Second' })], NOW)
      await store.incidents.save([created(3), updated(1, 3, { summary: 'Third' })], NOW)
      const versionsBefore = async (number: number, seq: number, limit = 10) =>
        (await store.events.versionsBefore(incidentId(number), seq, limit)).map(({ seq, document }) => [
          seq,
          (JSON.parse(document) as { summary: string }).summary,
        ])
      assert.deepEqual(await versionsBefore(1, 5), [
        [3, 'Second'],
        [1, 'First'],
      ])
      assert.deepEqual(await versionsBefore(1, 5, 1), [[3, 'Second']])
      assert.deepEqual(await versionsBefore(1, 1), [])
      assert.deepEqual(await versionsBefore(2, 9), [], 'an import')
    })
  })
}

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
