import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_MODERATION_RECORD } from '../../../../src/domain/desk/moderation-record.ts'
import type { DeskClaim, Store } from '../../../../src/store/store.ts'
import { anIncident, incidentId } from '../../../support/incident.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { aHistoryEntry, created, NOW, reported } from '../../fixtures.ts'
import { openSeveral } from '../../several-stores.ts'

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
