import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lastSeqBefore, recoverWatch } from '../../src/deliveries/recover.ts'
import type { Watch } from '../../src/domain/watch.ts'
import { parseWatchFilter } from '../../src/filter/live-filters.ts'
import { places } from '../../src/geo/places.ts'
import type { IncidentChange, Store } from '../../src/store/store.ts'
import { created, imported, NOW, retracted, updated } from '../store/fixtures.ts'
import {
  deliveryId,
  LEASE,
  listedDeliveries,
  NONE_FULL,
  newDelivery,
  refused,
  watchId,
  withWatches,
} from '../store/watch-fixtures.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'

const HOUR = 3_600_000
const KANO = {
  state: 'Kano',
  location: {
    place: null,
    precision: 'state',
    radius_km: 100,
    state_code: 'NG-KN',
    lga_code: null,
    lga_basis: null,
  },
} as const

function kaduna() {
  const parsed = parseWatchFilter({ state: ['NG-KD'] }, '', places)
  assert('value' in parsed)
  return parsed.value
}

/** Five events, an hour apart: 1 and 3 in Kaduna, 2 in Kano, 4 an import, 5 in Kaduna. */
async function withLog(): Promise<Store> {
  const store = await openMemoryStore()
  await withWatches(store, 1)
  const log = [created(1), created(2, KANO), created(3), imported(4), created(5)]
  for (const [index, change] of log.entries()) await store.incidents.save([change], NOW + index * HOUR)
  return store
}

describe('recovering', () => {
  it('delivers each missed event since that time once', async () => {
    await using store = await withLog()
    const watch = (await store.watches.find('acc_1', watchId(1)))!
    const now = NOW + 5 * HOUR
    assert.deepEqual(await recoverWatch(watch, kaduna(), NOW + 2 * HOUR, store, now), {
      pending: 0,
      failed: 0,
      missed: 2,
    })
    assert.deepEqual(await recoverWatch(watch, kaduna(), NOW, store, now), { pending: 2, failed: 0, missed: 1 })
    assert.deepEqual(await recoverWatch(watch, kaduna(), 0, store, now), { pending: 3, failed: 0, missed: 0 })
    const deliveries = await listedDeliveries(store, 'acc_1', watchId(1), null, 10, null)
    assert.deepEqual(
      deliveries.map(({ eventSeq, sequence }) => [eventSeq, sequence]),
      [
        [5, 2],
        [3, 1],
        [1, 3],
      ],
    )
  })

  it('makes failed deliveries due again', async () => {
    await using store = await withLog()
    await store.deliveries.add([newDelivery(1, 1)], NOW)
    await store.deliveries.lease('node', NOW, NOW + LEASE, 1, NONE_FULL)
    await store.deliveries.recordAttempts('node', [refused(deliveryId(1, 1), { retryAt: null })], NOW)
    const watch = (await store.watches.find('acc_1', watchId(1)))!
    assert.deepEqual(await recoverWatch(watch, kaduna(), NOW, store, NOW + 5 * HOUR), {
      pending: 0,
      failed: 1,
      missed: 2,
    })
  })
})

describe('recovering what has changed since', () => {
  const all = ['incident.created', 'incident.updated', 'incident.retracted'] as const

  async function kindsRecovered(log: IncidentChange[], events: Watch['events']): Promise<string[]> {
    await using store = await openMemoryStore()
    await withWatches(store, 1, { events })
    for (const change of log) await store.incidents.save([change], NOW)
    const watch = (await store.watches.find('acc_1', watchId(1)))!
    await recoverWatch(watch, kaduna(), NOW - HOUR, store, NOW)
    const deliveries = await listedDeliveries(store, 'acc_1', watchId(1), null, 10, null)
    return deliveries.map(({ kind, eventSeq }) => `${eventSeq} ${kind}`).reverse()
  }

  it('leaves out what was retracted since, and tells of the retraction if that is watched', async () => {
    const log = [created(1), updated(1, 2), retracted(1, 3), created(2)]
    assert.deepEqual(await kindsRecovered(log, all), ['3 incident.retracted', '4 incident.created'])
    assert.deepEqual(await kindsRecovered(log, ['incident.created']), ['4 incident.created'])
  })

  it('includes corrections and retractions of which any earlier version matched', async () => {
    const log = [created(1), updated(1, 2, KANO), updated(1, 3, KANO), created(2, KANO), updated(2, 2)]
    assert.deepEqual(await kindsRecovered(log, all), [
      '1 incident.created',
      '2 incident.updated',
      '3 incident.updated',
      '5 incident.updated',
    ])
    const moved = [created(1), updated(1, 2, KANO), updated(1, 3, KANO), retracted(1, 4, KANO)]
    assert.deepEqual(await kindsRecovered(moved, all), ['4 incident.retracted'])
  })
})

describe('the last event before a time', () => {
  it('is found in the log', async () => {
    await using store = await withLog()
    const at = (time: number) => lastSeqBefore(time, store.events)
    assert.deepEqual(
      await Promise.all([at(0), at(NOW), at(NOW + 1), at(NOW + HOUR), at(NOW + 2 * HOUR + 1), at(NOW + 99 * HOUR)]),
      [0, 0, 1, 1, 3, 5],
    )
  })

  it('is 0 in an empty log', async () => {
    await using store = await openMemoryStore()
    assert.equal(await lastSeqBefore(NOW, store.events), 0)
  })
})
