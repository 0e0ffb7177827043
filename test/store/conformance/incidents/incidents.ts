import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StaleVersion } from '../../../../src/store/store.ts'
import { anIncident, incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { created, imported, NOW, reported, retracted, updated, wholeLog } from '../../fixtures.ts'

export function incidentsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('incidents', () => {
    it('returns a saved incident, and null for an unknown id', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), reported(2)], NOW)
      assert.deepEqual(await store.incidents.find(incidentId(1)), anIncident(1))
      assert.deepEqual(await store.incidents.find(incidentId(2)), reported(2).incident)
      assert.equal(await store.incidents.find(incidentId(3)), null)
    })

    it('returns the events of a save in order, as they are in the log', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1)], NOW)
      const events = await store.incidents.save([updated(1, 2), reported(2), created(3), imported(4)], NOW + 1)
      assert.deepEqual(
        events.map(({ seq, kind, at, incidentId }) => [seq, kind, at, incidentId]),
        [
          [2, 'incident.updated', NOW + 1, incidentId(1)],
          [3, 'incident.created', NOW + 1, incidentId(3)],
          [4, 'incident.imported', NOW + 1, incidentId(4)],
        ],
      )
      assert.deepEqual(await store.events.after(1, 10), events)
      assert.deepEqual(await store.events.head(), { seq: 4, at: NOW + 1 })
    })

    it('writes nothing without changes, and no event for a change that is not public', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.deepEqual(await store.incidents.save([], NOW), [])
      assert.deepEqual(await store.incidents.save([reported(1)], NOW), [])
      assert.deepEqual(await store.events.head(), { seq: 0, at: 0 })
    })

    const stale = [
      { name: 'a first version that already exists', change: created(1) },
      { name: 'the version that is already stored', change: updated(1, 2) },
      { name: 'a version two above', change: updated(1, 4) },
      { name: 'a second version of an unknown incident', change: updated(9, 2) },
      { name: 'version 0', change: updated(9, 0) },
    ]
    for (const { name, change } of stale) {
      it(`refuses ${name}, and with it the whole save`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        await store.incidents.save([created(1)], NOW)
        await store.incidents.save([updated(1, 2)], NOW)
        await assert.rejects(store.incidents.save([created(5), change, created(6)], NOW), (error) => {
          assert(error instanceof StaleVersion)
          assert.equal(error.incidentId, change.incident.id)
          return true
        })
        assert.equal(await store.incidents.find(incidentId(5)), null)
        assert.equal((await store.events.head()).seq, 2)
        const [next] = await store.incidents.save([created(5)], NOW)
        assert.equal(next?.seq, 3, 'a refused save uses up no seq')
      })
    }

    it('accepts several versions of one incident in one save, but only in order', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const events = await store.incidents.save([created(1), updated(1, 2), retracted(1, 3)], NOW)
      assert.deepEqual(
        events.map((event) => JSON.parse(event.document).version),
        [1, 2, 3],
      )
      assert.deepEqual(await store.incidents.find(incidentId(1)), retracted(1, 3).incident)
      await assert.rejects(store.incidents.save([updated(1, 5), updated(1, 4)], NOW), StaleVersion)
      await assert.rejects(store.incidents.save([updated(1, 4), updated(1, 4)], NOW), StaleVersion)
      assert.equal((await store.events.head()).seq, 3)
    })

    it('keeps any document byte for byte', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const summary = 'NUL \u0000, half a pair \ud800, ”quotes“ \\ " \' {a,b} NULL \u{1F4A5} ẹ̀kọ́ \u2028 end'
      const change = created(1, { summary, lat: 1e-7, lng: -0.1 })
      await store.incidents.save([change], NOW)
      const text = JSON.stringify(change.incident)
      assert.equal((await wholeLog(store))[0]?.document, text)
      assert.equal(JSON.stringify(await store.incidents.find(incidentId(1))), text)
    })

    it('accepts a thousand changes in one save', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1)
      await store.incidents.save(
        numbers.map((number) => created(number)),
        NOW,
      )
      const events = await store.incidents.save(
        numbers.map((number) => updated(number, 2)),
        NOW,
      )
      assert.deepEqual(
        events.map((event) => event.seq),
        numbers.map((number) => number + 1_000),
      )
      assert.deepEqual(await store.events.after(1_000, 2_000), events)
    })

    it('rejects an invalid time or text with a TypeError, and stays usable', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await assert.rejects(store.incidents.save([created(1, { published_at: 'soon' })], NOW), TypeError)
      await assert.rejects(store.incidents.save([created(1, { id: 'inc_\0' })], NOW), TypeError)
      await assert.rejects(store.incidents.find('inc_\ud800'), TypeError)
      assert.equal((await store.events.head()).seq, 0)
      await store.incidents.save([created(1)], NOW)
    })
  })
}
