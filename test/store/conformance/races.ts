import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type LogEvent, StaleVersion, type Store, StoreUnavailable } from '../../../src/store/store.ts'
import { incidentId } from '../../support/incident.ts'
import { type EmptyDatabase, openSeveral } from '../empty-database.ts'
import { created, documentsOf, NOW, seeded, updated, wholeLog } from '../fixtures.ts'

export function racesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('concurrent writes', () => {
    it('let exactly one save of a version succeed', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      for (let version = 1; version <= 5; version++) {
        const racers = Array.from({ length: 12 }, (_, index) => {
          const summary = `by racer ${index}`
          const change = version === 1 ? created(1, { summary }) : updated(1, version, { summary })
          return stores.at(index).incidents.save([change], NOW)
        })
        const outcomes = await Promise.allSettled(racers)
        const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
        const losers = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason : []))
        assert.equal(winners.length, 1)
        assert.equal(winners[0]?.seq, version, 'the losers use up no seq')
        for (const error of losers) assert(error instanceof StaleVersion, String(error))
        const stored = await stores.at(0).incidents.find(incidentId(1))
        assert.equal(JSON.stringify(stored), winners[0]?.document)
      }
    })

    it('give seq in commit order without a gap, as every follower sees', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      const observers = [0, 1, 2].map((index) => observe(stores.at(index)))
      const random = seeded(11)
      const saves = Array.from({ length: 60 }, (_, index) => {
        const changes = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, place) =>
          // Many collide: the later save is refused as a whole.
          created(1 + Math.floor(random() * 150), { summary: `${index}.${place}` }),
        )
        return stores.at(index).incidents.save(changes, NOW + Math.floor(random() * 1_000))
      })
      const outcomes = await Promise.allSettled(saves)
      const returned = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
      for (const outcome of outcomes) if (outcome.status === 'rejected') assert(outcome.reason instanceof StaleVersion)
      const log = await wholeLog(stores.at(0))
      assert.deepEqual(
        log.map((event) => event.seq),
        log.map((_, index) => index + 1),
      )
      assert.deepEqual(
        returned.sort((a, b) => a.seq - b.seq),
        log,
      )
      for (let index = 1; index < log.length; index++) assert(log[index]!.at >= log[index - 1]!.at)
      for (const observer of observers) assert.deepEqual(await observer.seenUpTo(log.length), log)
    })

    it('leave in each snapshot exactly the result of the log up to its seq', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      const saves = Array.from({ length: 60 }, (_, index) => stores.at(index).incidents.save([created(index)], NOW))
      const snapshots = Array.from({ length: 6 }, async (_, index) => {
        const snapshot = await stores.at(index).incidents.snapshot()
        return { seq: snapshot.head.seq, documents: await documentsOf(snapshot) }
      })
      await Promise.all(saves)
      const log = await wholeLog(stores.at(0))
      for (const { seq, documents } of await Promise.all(snapshots)) {
        const expected = log.slice(0, seq).map((event) => event.document)
        assert.deepEqual(documents.sort(), expected.sort())
      }
    })
  })
}

/** Follows the log as an archive does: always from the last seq that it has seen. */
function observe(store: Store) {
  const following = { until: Number.POSITIVE_INFINITY }
  const seen = (async () => {
    const events: LogEvent[] = []
    while (events.length < following.until) events.push(...(await store.events.after(events.at(-1)?.seq ?? 0, 7)))
    return events
  })()
  return {
    seenUpTo(count: number) {
      following.until = count
      return seen
    },
  }
}

export function closingConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('closing', () => {
    it('waits for running calls, and refuses later ones', async () => {
      await using database = await newDatabase()
      const store = await database.open()
      const saves = Array.from({ length: 20 }, (_, index) => store.incidents.save([created(index)], NOW))
      await store[Symbol.asyncDispose]()
      for (const save of saves) assert.equal((await save).length, 1)
      const isClosed = (error: unknown) =>
        error instanceof Error && !(error instanceof StoreUnavailable) && /closed/.test(error.message)
      await assert.rejects(store.events.head(), isClosed)
      await assert.rejects(store.incidents.save([created(99)], NOW), isClosed)
      await assert.rejects(store.incidents.snapshot(), isClosed)
      await store[Symbol.asyncDispose]()
    })

    it('keeps all data for the next store that opens it', async (test) => {
      await using database = await newDatabase()
      if (!database.shared) return test.skip('the database is closed with the store')
      const first = await database.open()
      await first.incidents.save([created(1), created(2)], NOW)
      const log = await wholeLog(first)
      await first[Symbol.asyncDispose]()
      await using second = await database.open()
      assert.deepEqual(await wholeLog(second), log)
      const [next] = await second.incidents.save([created(3)], NOW - 1)
      assert.deepEqual([next?.seq, next?.at], [3, NOW])
    })

    it('ends unfinished snapshots and active listeners', async () => {
      await using database = await newDatabase()
      const store = await database.open()
      await store.incidents.save([created(1)], NOW)
      const snapshot = await store.incidents.snapshot()
      store.events.onAppend(() => {})
      await store[Symbol.asyncDispose]()
      await assert.rejects(documentsOf(snapshot), /closed/)
    })
  })
}
