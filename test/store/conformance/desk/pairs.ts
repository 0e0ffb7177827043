import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type IncidentChange,
  type PairDecision,
  type PairPosition,
  StaleVersion,
  type Store,
} from '../../../../src/store/store.ts'
import { anImportReport } from '../../../desk/importing/harness.ts'
import { anIncident, incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aHistoryEntry, imported, NOW, retracted, updated } from '../../fixtures.ts'

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
