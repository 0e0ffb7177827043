import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WatchSchedule } from '../../../../src/domain/schedule/schedule.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import {
  appendTo,
  aWatch,
  LEASE,
  MAX_WATCHES,
  NONE_FULL,
  newDelivery,
  watchId,
  withWatches,
} from '../../watch-fixtures.ts'

const SCHEDULE: WatchSchedule = {
  digest: { every: 'daily', hour: 7, breakSeverity: 'high' },
  quietHours: { from: 1320, until: 360, breakSeverity: null },
}

export function schedulesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('schedules of watches', () => {
    it('are stored, changed part by part, and go with each delivery and to the fan-out', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 0)
      await store.watches.add(aWatch(1, { schedule: SCHEDULE }), MAX_WATCHES)
      const find = async () => (await store.watches.find('acc_1', watchId(1)))!.schedule
      const change = async (patch: object) => {
        await store.watches.change('acc_1', watchId(1), patch, NOW)
        return find()
      }
      assert.deepEqual(await find(), SCHEDULE)
      const { changes } = await store.watches.changedAfter(0, 10)
      assert.deepEqual(JSON.parse(changes[0]!.watch!.schedule!), SCHEDULE)
      await appendTo(store, 2)
      await store.deliveries.add([newDelivery(1, 1, { severity: 'high' }), newDelivery(1, 2)], NOW)
      const { dispatches } = await store.deliveries.lease('node', NOW, NOW + LEASE, 10, NONE_FULL)
      assert.deepEqual(
        dispatches.map(({ delivery, endpoint }) => [delivery.severity, endpoint.schedule]),
        [
          ['high', SCHEDULE],
          [null, SCHEDULE],
        ],
      )
      assert.deepEqual(await change({ name: 'Another' }), SCHEDULE)
      assert.deepEqual(await change({ digest: null }), { ...SCHEDULE, digest: null })
      assert.equal(await change({ quietHours: null }), null)
    })

    it('have deliveries that are leased together, each once, if they are due', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 2)
      await appendTo(store, 5)
      const later = newDelivery(1, 4, { severity: 'low', dueAt: NOW + 1 })
      await store.deliveries.add(
        [newDelivery(1, 3), newDelivery(1, 1), newDelivery(1, 2, { critical: true }), newDelivery(2, 5), later],
        NOW,
      )
      const lease = async (limit: number, now = NOW) =>
        (await store.deliveries.leaseOfWatch('node', watchId(1), now, now + LEASE, limit)).map(
          ({ delivery }) => delivery.eventSeq,
        )
      assert.deepEqual(await lease(2), [1, 2])
      assert.deepEqual(await lease(9), [3])
      assert.deepEqual(await lease(9), [])
      assert.deepEqual(await lease(9, NOW + 1), [4])
      await store.watches.change('acc_1', watchId(2), { status: 'paused' }, NOW)
      assert.deepEqual(await store.deliveries.leaseOfWatch('node', watchId(2), NOW, NOW + LEASE, 9), [])
    })

    it('are not overtaken when a watch answers again', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      await withWatches(store, 1)
      await appendTo(store, 2)
      const held = newDelivery(1, 1, { severity: 'low', dueAt: NOW + LEASE })
      await store.deliveries.add([held, newDelivery(1, 2, { dueAt: NOW + LEASE })], NOW)
      assert.equal(await store.deliveries.hasten(watchId(1), NOW, 10), 1)
    })
  })
}
