import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../../src/domain/moderation.ts'
import {
  type ImportBatch,
  type ImportChangeWrite,
  type ImportRun,
  type IncidentChange,
  type LogEvent,
  StaleVersion,
  type Store,
  StoreUnavailable,
} from '../../../src/store/store.ts'
import { anImportReport } from '../../desk/importing/harness.ts'
import { anIncident, incidentId } from '../../support/incident.ts'
import { type EmptyDatabase, openSeveral } from '../databases.ts'
import {
  aHistoryEntry,
  created,
  documentsOf,
  imported,
  NOW,
  reported,
  retracted,
  seeded,
  updated,
  wholeLog,
} from '../fixtures.ts'

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
      assert.deepEqual(await store.events.head(), { seq: 4, at: NOW + 1, link: events.at(-1)!.link })
    })

    it('writes nothing without changes, and no event for a change that is not public', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.deepEqual(await store.incidents.save([], NOW), [])
      assert.deepEqual(await store.incidents.save([reported(1)], NOW), [])
      assert.equal((await store.events.head()).seq, 0)
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

const HOUR = 3_600_000

function confirmed(number: number): IncidentChange {
  return { ...created(number), replaces: { version: 1, status: 'reported' } }
}

export function moderationConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('moderation', () => {
    it('keeps the moderation record of an incident until another is saved', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const moderation: ModerationRecord = {
        ...EMPTY_MODERATION_RECORD,
        text: 'Ìròyìn "as it came" 🚨',
        official: [0, 2],
      }
      await store.incidents.save([{ ...reported(1), moderation }, reported(2)], NOW)
      const storedRecord = async () => (await store.incidents.findRecords([incidentId(1)]))[0]?.moderation
      assert.deepEqual(await storedRecord(), moderation)
      await store.incidents.save([confirmed(1)], NOW)
      assert.deepEqual(await storedRecord(), moderation)
      await store.incidents.save([{ ...updated(1, 2), moderation: EMPTY_MODERATION_RECORD }], NOW)
      assert.deepEqual(await storedRecord(), EMPTY_MODERATION_RECORD)
      assert.equal((await store.incidents.findRecords([incidentId(2)]))[0]?.moderation, null)
    })

    it('finds many records at once, leaving out unknown ids', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1), reported(2), imported(3)], NOW)
      const found = await store.incidents.findRecords([4, 3, 2, 1].map(incidentId))
      assert.deepEqual(found.map(({ incident }) => incident.id).sort(), [1, 2, 3].map(incidentId))
      assert.deepEqual(await store.incidents.findRecords([]), [])
    })

    it('finds the open reports of a period, and none that is decided', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const at = (number: number, hours: number): IncidentChange => {
        const change = reported(number)
        return { ...change, incident: { ...change.incident, occurred_at: new Date(NOW + hours * HOUR).toISOString() } }
      }
      await store.incidents.save([at(1, 0), at(2, 5), at(3, 9), at(4, 10)], NOW)
      const found = async (from: number, to: number, limit = 10) =>
        (await store.incidents.openReports(NOW + from * HOUR, NOW + to * HOUR, limit)).map(({ id }) => id)
      assert.deepEqual(await found(0, 9), [3, 2, 1].map(incidentId))
      assert.deepEqual(await found(1, 20, 2), [4, 3].map(incidentId))
      await store.incidents.save([confirmed(2)], NOW)
      assert.deepEqual(await found(0, 9), [3, 1].map(incidentId))
    })

    it('keeps every history entry with actor, time and note, in order', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const steps = [
        aHistoryEntry(),
        aHistoryEntry({ step: 'confirm', at: NOW + 1, note: 'Called the station' }),
        aHistoryEntry({
          id: null,
          step: 'update',
          version: 2,
          at: NOW,
          fields: ['casualties', 'severity'],
          changes: [{ field: 'summary', old: 'NUL \0 and half \ud83d', new: { deep: [null, 'ọ'] } }],
        }),
        aHistoryEntry({ step: 'absorb', version: 2, at: NOW, other: incidentId(2) }),
      ]
      await store.incidents.save([{ ...reported(1), historyEntry: steps[0]! }], NOW)
      await store.incidents.save([{ ...confirmed(1), historyEntry: steps[1]! }], NOW)
      await store.incidents.save([{ ...updated(1, 2), historyEntry: steps[2]! }, created(2)], NOW)
      await store.incidents.save([{ ...updated(1, 3), historyEntry: steps[3]! }], NOW)
      assert.deepEqual(await store.incidents.history(incidentId(1)), steps)
      assert.deepEqual(await store.incidents.history(incidentId(2)), [])
    })

    it('writes no history entry for a save that was refused', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([reported(1)], NOW)
      await assert.rejects(
        store.incidents.save([{ ...updated(1, 5), historyEntry: aHistoryEntry() }], NOW),
        StaleVersion,
      )
      assert.deepEqual(await store.incidents.history(incidentId(1)), [])
    })

    it('replaces an incident only in the version and status that were given', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([reported(1)], NOW)
      for (const replaces of [{ version: 0 }, { version: 2 }, { version: 1, status: 'confirmed' as const }])
        await assert.rejects(store.incidents.save([{ ...created(1), replaces }], NOW), StaleVersion)
      await store.incidents.save([{ ...imported(2, { version: 7 }), replaces: { version: 0 } }], NOW)
      assert.equal((await store.incidents.find(incidentId(2)))?.version, 7)
    })

    it('lets one of many callers confirm a report: one event, one history entry', async () => {
      await using database = await newDatabase()
      await using one = await database.open()
      await using other = await database.open()
      await one.incidents.save([1, 2, 3].map(reported), NOW)
      for (const number of [1, 2, 3]) {
        const racers = Array.from({ length: 24 }, (_, index) =>
          (index % 2 ? one : other).incidents.save(
            [{ ...confirmed(number), historyEntry: aHistoryEntry({ step: 'confirm' }) }],
            NOW,
          ),
        )
        const outcomes = await Promise.allSettled(racers)
        assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') assert(outcome.reason instanceof StaleVersion, String(outcome.reason))
        assert.equal((await one.incidents.history(incidentId(number))).length, 1)
      }
      assert.deepEqual(
        (await wholeLog(one)).map(({ kind, incidentId: id }) => [kind, id]),
        [1, 2, 3].map((number) => ['incident.created', incidentId(number)]),
      )
    })
  })
}

const batch = (id: string, checkpoint: string): ImportBatch => ({
  checkpoint: { id, checkpoint },
  run: null,
  changes: [],
  undone: [],
})

export function importsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('imports', () => {
    it('keeps the last checkpoint of each import until it is deleted', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([], NOW, batch('a', '{"row":1}'))
      await store.incidents.save([], NOW + 1, batch('a', '{"row":2}'))
      await store.incidents.save([], NOW, batch('b', '{"row":9}'))
      assert.equal(await store.imports.findCheckpoint('a'), '{"row":2}')
      await store.imports.deleteCheckpoint('a')
      assert.equal(await store.imports.findCheckpoint('a'), null)
      assert.equal(await store.imports.findCheckpoint('b'), '{"row":9}')
    })

    it('writes the checkpoint and the incidents together, or neither', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([imported(1)], NOW, batch('a', 'after 1'))
      assert.equal(await store.imports.findCheckpoint('a'), 'after 1')
      const twice = [imported(2), imported(1)]
      await assert.rejects(store.incidents.save(twice, NOW, batch('a', 'after 2')), StaleVersion)
      assert.equal(await store.imports.findCheckpoint('a'), 'after 1')
      assert.equal(await store.incidents.find(incidentId(2)), null)
      assert.equal((await wholeLog(store)).length, 1)
    })

    it('keeps the runs with what they changed, and the text before it', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const run = (id: string, startedAt: number): ImportRun => ({
        id,
        startedAt,
        updatedAt: startedAt,
        state: 'running',
        report: anImportReport({ file: id }),
      })
      for (const [index, id] of ['imp_a', 'imp_b', 'imp_c'].entries()) await store.imports.begin(run(id, NOW + index))
      assert.deepEqual(
        (await store.imports.list(null, 2)).map(({ id }) => id),
        ['imp_c', 'imp_b'],
      )
      assert.deepEqual(
        (await store.imports.list({ startedAt: NOW + 1, id: 'imp_b' }, 2)).map(({ id }) => id),
        ['imp_a'],
      )
      assert.equal(await store.imports.find('imp_d'), null)
      assert.equal(await store.imports.record('imp_d', 'finished', anImportReport(), NOW), false)

      await store.incidents.save([imported(1)], NOW)
      const [before] = await store.incidents.current([incidentId(1)])
      const { incident } = imported(1)
      const updated = { ...incident, summary: 'Another.', version: 2 }
      const changes: ImportChangeWrite[] = [
        { incidentId: incidentId(1), outcome: 'updated', version: 2, poorerFields: ['lga'] },
        { incidentId: incidentId(2), outcome: 'created', version: 1, poorerFields: [] },
      ]
      const report = anImportReport({ file: 'after' })
      await store.incidents.save([{ incident: updated, event: 'incident.imported' }, imported(2)], NOW + 5, {
        checkpoint: null,
        run: { id: 'imp_a', state: 'running', report },
        changes,
        undone: [],
      })
      const stored = await store.imports.find('imp_a')
      assert.deepEqual([stored!.updatedAt, stored!.report], [NOW + 5, report])
      const kept = { undoneAt: null, laterImport: null }
      const restorable = { document: before!.document, moderation: null }
      const all = [
        { ...changes[0], before: restorable, ...kept },
        { ...changes[1], before: null, ...kept },
      ].sort((one, other) => (one.incidentId! < other.incidentId! ? -1 : 1))
      assert.deepEqual(await store.imports.changes('imp_a', null, 10), all)
      assert.deepEqual(await store.imports.changes('imp_a', all[0]!.incidentId!, 10), [all[1]])

      const again = { ...updated, summary: 'A third.', version: 3 }
      await store.incidents.save([{ incident: again, event: 'incident.imported' }], NOW + 6, {
        checkpoint: null,
        run: { id: 'imp_b', state: 'running', report },
        changes: [{ incidentId: incidentId(1), outcome: 'updated', version: 3, poorerFields: [] }],
        undone: [],
      })
      const changeOf = async (id: string) =>
        (await store.imports.changes(id, null, 10)).find((change) => change.incidentId === incidentId(1))!
      assert.equal((await changeOf('imp_a')).laterImport, 'imp_b')

      const back = { ...updated, version: 4 }
      await store.incidents.save([{ incident: back, event: 'incident.imported' }], NOW + 7, {
        checkpoint: null,
        run: { id: 'imp_b', state: 'undone', report },
        changes: [],
        undone: [{ incidentId: incidentId(1), versionBefore: 2, version: 4 }],
      })
      const undone = await changeOf('imp_b')
      assert.deepEqual([undone.undoneAt, undone.before], [NOW + 7, null])
      const first = await changeOf('imp_a')
      assert.deepEqual([first.version, first.laterImport, first.before], [4, null, restorable])
    })

    it('writes a run, its changes and the incidents together, or nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const report = anImportReport()
      await store.imports.begin({ id: 'imp_a', startedAt: NOW, updatedAt: NOW, state: 'running', report })
      await store.incidents.save([imported(1)], NOW)
      await assert.rejects(
        store.incidents.save([imported(2), imported(1)], NOW + 1, {
          checkpoint: null,
          run: { id: 'imp_a', state: 'finished', report },
          changes: [{ incidentId: incidentId(2), outcome: 'created', version: 1, poorerFields: [] }],
          undone: [],
        }),
        StaleVersion,
      )
      assert.deepEqual(await store.imports.changes('imp_a', null, 10), [])
      assert.equal((await store.imports.find('imp_a'))!.state, 'running')
    })
  })
}

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
