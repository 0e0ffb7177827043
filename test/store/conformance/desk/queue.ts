import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_MODERATION_RECORD } from '../../../../src/domain/desk/moderation-record.ts'
import { DESK_ORDERS, type DeskOrder } from '../../../../src/domain/desk/queue.ts'
import type { Incident } from '../../../../src/domain/incident.ts'
import { SEVERITIES } from '../../../../src/domain/taxonomy.ts'
import type { DeskPosition, DeskQuery, IncidentChange, Store } from '../../../../src/store/store.ts'
import { incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aHistoryEntry, created, imported, NOW, reported, until, updated } from '../../fixtures.ts'
import { openSeveral } from '../../several-stores.ts'

const ALL: DeskQuery = {
  status: 'reported',
  order: 'newest',
  origin: null,
  words: [],
  claimedBy: null,
  states: null,
  lgas: null,
  types: null,
  severities: null,
  minConfidence: null,
  maxConfidence: null,
  reportedFrom: null,
  reportedTo: null,
  occurredFrom: null,
  occurredTo: null,
  box: null,
}

function aReport(number: number, changes: Partial<Incident> = {}): IncidentChange {
  const change = reported(number)
  const reported_at = new Date(NOW + number * 1000).toISOString()
  return { ...change, incident: { ...change.incident, reported_at, ...changes } }
}

async function found(store: Store, query: Partial<DeskQuery>, limit = 100): Promise<number[]> {
  const { hits } = await store.desk.find({ ...ALL, ...query }, null, limit, 1000, NOW)
  return hits.map(({ id }) => [...Array(100).keys()].find((number) => incidentId(number) === id)!)
}

const severityRank = ({ severity }: Incident) => String(SEVERITIES.indexOf(severity))
const confidenceRank = ({ confidence }: Incident) => confidence.toFixed(2)

export function queueConforms(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('the queue of the desk', () => {
    it('has an entry for every incident that is not confirmed, and for those that the desk touched', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([aReport(1), created(2), imported(3)], NOW)
      assert.deepEqual(await found(store, {}), [1])
      assert.deepEqual(await found(store, { status: 'confirmed' }), [])
      const confirm = { ...created(1), replaces: { version: 1, status: 'reported' as const } }
      await store.incidents.save([{ ...confirm, historyEntry: aHistoryEntry({ step: 'confirm' }) }], NOW)
      await store.incidents.save([updated(1, 2), updated(2, 2)], NOW)
      assert.deepEqual(await found(store, {}), [])
      assert.deepEqual(await found(store, { status: 'confirmed' }), [1])
      const [change] = await store.desk.changedAfter(0, 10)
      assert.deepEqual([change?.id, change?.status, change?.version], [incidentId(1), 'confirmed', 2])
    })

    it('filters and searches', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const location = { ...reported(1).incident.location, place: 'Gọnin Gora', state_code: 'NG-ZA', lga_code: null }
      const tip = { ...EMPTY_MODERATION_RECORD, origin: 'tip' as const }
      await store.incidents.save(
        [
          aReport(1, {
            ...{ location, summary: 'Ọ̀nà at “Rijana”', confidence: 0.2, lat: 10.1, lng: 7.1 },
            occurred_at: new Date(NOW - 5000).toISOString(),
          }),
          aReport(2, { severity: 'critical', confidence: 0.9, lat: 6, lng: 3, type: 'protest' }),
          { ...aReport(3, { severity: 'low', confidence: 0.5, lat: 6, lng: 3 }), moderation: tip },
        ],
        NOW,
      )
      const cases: [Partial<DeskQuery>, number[]][] = [
        [{ words: ['gonin', 'rij'] }, [1]],
        [{ words: ['ona'] }, [1]],
        [{ words: ['onin'] }, []],
        [{ states: ['NG-ZA'] }, [1]],
        [{ lgas: ['NG-KD-NONE'] }, []],
        [{ types: ['protest'] }, [2]],
        [{ severities: ['critical', 'low'] }, [3, 2]],
        [{ minConfidence: 0.5 }, [3, 2]],
        [{ maxConfidence: 0.5 }, [3, 1]],
        [{ reportedFrom: NOW + 2000 }, [3, 2]],
        [{ reportedTo: NOW + 2000 }, [1]],
        [{ occurredFrom: NOW - 5000, occurredTo: NOW - 4999 }, [1]],
        [{ occurredFrom: NOW - 6000, occurredTo: NOW - 5000 }, []],
        [{ box: { west: 7, south: 10, east: 8, north: 11 } }, [1]],
        [{ origin: 'tip' }, [3]],
        [{ origin: 'api' }, [2, 1]],
        [{ claimedBy: 'none' }, [3, 2, 1]],
        [{ claimedBy: 'acc_1' }, []],
      ]
      for (const [query, expected] of cases)
        assert.deepEqual(await found(store, query), expected, JSON.stringify(query))
    })

    it('is paged in every order: each entry once, also if the window ends before a match', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const severities = ['low', 'medium', 'high', 'critical'] as const
      const reports = Array.from({ length: 25 }, (_, index) =>
        aReport(index + 1, {
          severity: severities[index % 4]!,
          confidence: (index % 5) / 10,
          summary: index % 3 === 0 ? 'Third' : 'Other',
          reported_at: new Date(NOW + ((index * 7) % 13) * 1000).toISOString(),
        }),
      )
      await store.incidents.save(reports, NOW)
      const idsIn = (order: DeskOrder) => {
        const ranks = { newest: () => '', oldest: () => '', severity: severityRank, confidence: confidenceRank }
        const keys = reports.map(({ incident }) => `${ranks[order](incident)} ${incident.reported_at} ${incident.id}`)
        const sorted = order === 'oldest' ? keys.toSorted() : keys.toSorted().toReversed()
        return sorted.map((key) => key.slice(key.lastIndexOf(' ') + 1))
      }
      for (const order of DESK_ORDERS) {
        for (const words of [[], ['third']]) {
          const query = { ...ALL, order, words }
          const whole = (await store.desk.find(query, null, 100, 1000, NOW)).hits.map(({ id }) => id)
          assert.equal(whole.length, words.length === 0 ? 25 : 9)
          if (words.length === 0) assert.deepEqual(whole, idsIn(order), order)
          const paged: string[] = []
          let after: DeskPosition | null = null
          do {
            const { hits, next } = await store.desk.find(query, after, 2, 3, NOW)
            paged.push(...hits.map(({ id }) => id))
            after = next
          } while (after !== null)
          assert.deepEqual(paged, whole, order)
        }
      }
    })

    it('counts its entries by status, origin and severity', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([aReport(1, { severity: 'low' }), aReport(2, { severity: 'low' })], NOW)
      const rejected = { ...reported(1), replaces: { version: 1 } }
      await store.incidents.save([{ ...rejected, incident: { ...rejected.incident, status: 'rejected' } }], NOW)
      const counts = await store.desk.counts()
      const list = counts.map(({ status, origin, entries }) => `${status} ${origin} ${entries}`)
      assert.deepEqual(list.sort(), ['rejected api 1', 'reported api 1'])
    })

    it('tells what changed after a revision, in commit order, to other stores too', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      let notified = 0
      const stop = stores.at(1).desk.onChange(() => notified++)
      await Promise.all([1, 2, 3, 4, 5, 6].map((number) => stores.at(number).incidents.save([aReport(number)], NOW)))
      const changes = await stores.at(1).desk.changedAfter(0, 100)
      assert.equal(changes.length, 6)
      assert.equal(changes.at(-1)!.revision, await stores.at(0).desk.head())
      await until(() => notified > 0)
      stop()
      assert.deepEqual(await stores.at(0).desk.changedAfter(changes.at(-1)!.revision, 10), [])
    })
  })
}
