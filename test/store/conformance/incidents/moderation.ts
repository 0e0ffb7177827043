import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../../../src/domain/desk/moderation-record.ts'
import { type IncidentChange, StaleVersion } from '../../../../src/store/store.ts'
import { incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aHistoryEntry, created, imported, NOW, reported, updated, wholeLog } from '../../fixtures.ts'

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
