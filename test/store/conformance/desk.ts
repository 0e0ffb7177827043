import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Incident } from '../../../src/domain/incident.ts'
import { DESK_ORDERS, type DeskOrder, EMPTY_MODERATION_RECORD } from '../../../src/domain/moderation.ts'
import { SEVERITIES } from '../../../src/domain/taxonomy.ts'
import {
  type DeskClaim,
  type DeskPosition,
  type DeskQuery,
  type IncidentChange,
  NO_DESK_CONDITIONS,
  type PairDecision,
  type PairPosition,
  StaleVersion,
  type Store,
} from '../../../src/store/store.ts'
import { anImportReport } from '../../desk/importing/harness.ts'
import { anIncident, incidentId } from '../../support/incident.ts'
import { type EmptyDatabase, openSeveral } from '../databases.ts'
import { aHistoryEntry, created, imported, NOW, reported, retracted, until, updated } from '../fixtures.ts'

const ALL: DeskQuery = { ...NO_DESK_CONDITIONS, status: 'reported', order: 'newest' }

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
        [{ words: ['"ona at rijana"'] }, [1]],
        [{ words: ['"ona rijana"'] }, []],
        [{ words: ['"gonin gora"'] }, [3, 2, 1]],
        [{ words: ['"gonin gor"'] }, []],
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

function aClaim(account: string, changes: Partial<DeskClaim> = {}): DeskClaim {
  return {
    incident: anIncident(1, { status: 'reported' }),
    moderation: EMPTY_MODERATION_RECORD,
    claim: { accountId: account, name: `Editor ${account}`, until: NOW + 100 },
    takeOver: null,
    ...changes,
  }
}

async function claimOf(store: Store) {
  return (await store.incidents.findRecords([incidentId(1)]))[0]!.claim
}

export function claimsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('claims', () => {
    it('are held by one account until they lapse, are released or taken over', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([reported(1)], NOW)
      assert.equal(await claimOf(store), null)
      assert.equal(await store.desk.claim(aClaim('acc_1'), NOW), true)
      assert.equal(await store.desk.claim(aClaim('acc_2'), NOW + 99), false)
      assert.equal(await store.desk.claim(aClaim('acc_1'), NOW), true)
      assert.deepEqual(await claimOf(store), { accountId: 'acc_1', name: 'Editor acc_1', until: NOW + 100 })
      assert.deepEqual(await store.desk.claimCounts(NOW), [{ accountId: 'acc_1', reports: 1 }])
      assert.deepEqual(await store.desk.claimCounts(NOW + 100), [])
      assert.equal(await store.desk.claim(aClaim('acc_2'), NOW + 100), true)
      const historyEntry = aHistoryEntry({ step: 'take_over' })
      assert.equal(await store.desk.claim(aClaim('acc_1', { takeOver: { historyEntry } }), NOW), true)
      assert.deepEqual(await store.incidents.history(incidentId(1)), [historyEntry])
      await store.desk.release(incidentId(1), 'acc_2')
      assert.equal((await claimOf(store))!.accountId, 'acc_1')
      await store.desk.release(incidentId(1), 'acc_1')
      assert.equal(await claimOf(store), null)
    })

    it('survive a correction and end with a decision', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([reported(1)], NOW)
      await store.desk.claim(aClaim('acc_1'), NOW)
      const corrected = anIncident(1, { status: 'reported', version: 2 })
      await store.incidents.save([{ incident: corrected, event: null }], NOW)
      assert.equal((await claimOf(store))!.accountId, 'acc_1')
      await store.incidents.save([{ ...created(1, { version: 2 }), replaces: { version: 2 } }], NOW)
      assert.equal(await claimOf(store), null)
    })

    it('can be made on a public incident that the desk does not know yet', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await store.incidents.save([created(1)], NOW)
      const { incident } = created(1)
      assert.equal(await store.desk.claim(aClaim('acc_1', { incident }), NOW), true)
      const [change] = await store.desk.changedAfter(0, 10)
      assert.deepEqual([change?.status, change?.claim?.accountId], ['confirmed', 'acc_1'])
    })

    it('of many at the same moment, one holds', async () => {
      await using database = await newDatabase()
      await using stores = await openSeveral(database)
      await stores.at(0).incidents.save([reported(1)], NOW)
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) => stores.at(index).desk.claim(aClaim(`acc_${index}`), NOW)),
      )
      assert.equal(results.filter(Boolean).length, 1)
    })
  })
}

const [one, two, three, four] = [1, 2, 3, 4].map(incidentId) as [string, string, string, string]

/** Two imports: the first found three pairs, the second one. */
async function offerPairs(store: Store): Promise<void> {
  await store.incidents.save(
    [1, 2, 3, 4].map((number) => imported(number)),
    NOW,
  )
  const offer = async (id: string, pairs: [string, string, number][], at: number) => {
    const report = anImportReport()
    await store.imports.begin({ id, startedAt: at, updatedAt: at, state: 'running', report })
    await store.incidents.save([], at, {
      checkpoint: null,
      run: { id, state: 'finished', report },
      changes: [],
      undone: [],
      pairs: pairs.map(([incidentId, otherId, score]) => ({ incidentId, otherId, score })),
    })
  }
  const first: [string, string, number][] = [
    [two, one, 0.7],
    [three, one, 0.9],
    [three, two, 0.7],
  ]
  await offer('imp_1', first, NOW + 1)
  await offer('imp_2', [[one, four, 0.6]], NOW + 2)
}

const ids = (pairs: readonly { incidentId: string; otherId: string }[]) =>
  pairs.map(({ incidentId, otherId }) => [incidentId, otherId])

async function open(store: Store, after: PairPosition | null = null, limit = 10, window = 100) {
  const { pairs, next } = await store.desk.openPairs(after, limit, window)
  return { found: ids(pairs), pairs, next }
}

function decision(pair: Partial<PairDecision>, number = 1, version = 1): IncidentChange {
  const decided = {
    oneId: one,
    otherId: four,
    dismissal: { oneVersion: 1, otherVersion: 1, evidence: 4.25 },
    replaces: null,
    ...pair,
  }
  return {
    incident: anIncident(number, { version }),
    event: null,
    replaces: { version, status: 'confirmed' },
    historyEntry: aHistoryEntry({ id: `stp_${JSON.stringify(pair).length}`, step: 'dismiss_duplicate', other: four }),
    pair: decided,
  }
}

export function pairsConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('pairs of incidents', () => {
    it('are listed by import, newest first, the likeliest first, page by page', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      assert.deepEqual(await open(store), { found: [], pairs: [], next: null })
      await offerPairs(store)
      const all = [
        [one, four],
        [three, one],
        [three, two],
        [two, one],
      ]
      const { found, pairs, next } = await open(store)
      assert.deepEqual([found, next], [all, null])
      assert.deepEqual(pairs[0], {
        incidentId: one,
        otherId: four,
        importId: 'imp_2',
        score: 0.6,
        offeredAt: NOW + 2,
        dismissal: null,
      })
      const pages = []
      for (let after: PairPosition | null = null, left = 9; left > 0; left--) {
        const page: Awaited<ReturnType<typeof open>> = await open(store, after, 1)
        pages.push(...page.found)
        after = page.next
        if (after === null) break
      }
      assert.deepEqual(pages, all)
    })

    it('leave the list while one of the two is not there, whatever took it away', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await offerPairs(store)
      await store.incidents.save([retracted(1, 2)], NOW)
      assert.deepEqual((await open(store)).found, [[three, two]])
      // A window without an open pair says where to go on.
      const first = await open(store, null, 10, 2)
      assert.deepEqual([first.found, first.next?.incidentId, first.next?.otherId], [[], three, one])
      assert.deepEqual((await open(store, first.next, 10, 2)).found, [[three, two]])
      await store.incidents.save([updated(1, 3)], NOW)
      assert.equal((await open(store)).found.length, 4)
    })

    it('are dismissed with a step of the history, and offered again', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await offerPairs(store)
      const other = { oneId: one, otherId: two, dismissal: { oneVersion: 1, otherVersion: 1, evidence: -3.5 } }
      await store.incidents.save([decision({})], NOW + 5)
      await store.incidents.save([decision(other)], NOW + 6)
      const dismissed = {
        oneId: one,
        otherId: four,
        oneVersion: 1,
        otherVersion: 1,
        evidence: 4.25,
        dismissedAt: NOW + 5,
      }
      const second = { ...dismissed, ...other.dismissal, otherId: two, dismissedAt: NOW + 6 }
      assert.deepEqual(await store.desk.dismissals(null, 10), [second, dismissed])
      assert.deepEqual(await store.desk.dismissals(second, 10), [dismissed])
      assert.deepEqual(await store.desk.dismissals(null, 1), [second])
      assert.deepEqual(await store.desk.dismissalsOf([four, three]), [dismissed])
      assert.equal((await store.desk.dismissalsOf([one])).length, 2)
      assert.deepEqual((await open(store)).found, [
        [three, one],
        [three, two],
      ])
      assert.deepEqual(
        (await store.incidents.history(one)).map(({ step }) => step),
        ['dismiss_duplicate', 'dismiss_duplicate'],
      )
      await store.incidents.save([decision({ dismissal: null, replaces: NOW + 5 })], NOW + 7)
      assert.deepEqual(await store.desk.dismissalsOf([four]), [])
      assert.equal((await open(store)).found.length, 3)
    })

    it('are listed with their dismissal once one of the two has another version', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await offerPairs(store)
      await store.incidents.save([decision({})], NOW + 5)
      assert.equal((await open(store)).found.length, 3)
      await store.incidents.save([updated(4, 2)], NOW + 6)
      const { pairs } = await open(store)
      assert.deepEqual([pairs.length, pairs[0]!.dismissal?.evidence], [4, 4.25])
      // Dismissed again, as they are now.
      const dismissal = { oneVersion: 1, otherVersion: 2, evidence: 5 }
      await store.incidents.save([decision({ dismissal, replaces: NOW + 5 })], NOW + 7)
      assert.equal((await open(store)).found.length, 3)
      assert.equal((await store.desk.dismissalsOf([four]))[0]!.evidence, 5)
    })

    it('are decided on once: of two editors, the second writes nothing', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await offerPairs(store)
      const outcomes = await Promise.allSettled(
        [1, 2].map((number) => store.incidents.save([decision({ replaces: null })], NOW + number)),
      )
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const refused = outcomes.find((outcome) => outcome.status === 'rejected')!
      assert.ok(refused.reason instanceof StaleVersion)
      assert.equal((await store.incidents.history(one)).length, 1)
      const { dismissedAt } = (await store.desk.dismissalsOf([one]))[0]!
      const wrong = dismissedAt + 1
      await assert.rejects(
        store.incidents.save([decision({ dismissal: null, replaces: wrong })], NOW + 8),
        StaleVersion,
      )
      await assert.rejects(store.incidents.save([decision({ replaces: wrong })], NOW + 8), StaleVersion)
      assert.equal((await store.desk.dismissalsOf([one]))[0]!.dismissedAt, dismissedAt)
      assert.equal((await store.incidents.history(one)).length, 1)
    })
  })
}
