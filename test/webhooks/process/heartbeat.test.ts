import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { type Owners, StoreUnavailable } from '../../../src/store/store.ts'
import { Heartbeat } from '../../../src/webhooks/process/heartbeat.ts'
import { hasEnded } from '../../../src/webhooks/process/process-name.ts'
import { NOW } from '../../store/fixtures.ts'
import { appendTo, LEASE, leased, newDelivery, withWatches } from '../../store/watch-fixtures.ts'
import { until } from '../../support/app.ts'

function start(owner: string, owners: Owners, errors: unknown[] = []): Promise<Heartbeat> {
  const onError = (error: unknown) => errors.push(error)
  return Heartbeat.start(owners, { owner, clock: () => NOW, hasEnded, intervalMs: 1, onError })
}

/** Opens a store in which `dead` leases the fan-out and a delivery, without further heartbeats. */
async function storeWithDeadOwner() {
  const store = await openStore('sqlite::memory:')
  await withWatches(store, 1)
  await appendTo(store, 2)
  await store.deliveries.add([newDelivery(1, 1)], NOW)
  await store.owners.recordHeartbeat('dead')
  await store.fanOut.lease('dead', NOW, NOW + LEASE)
  await store.deliveries.lease('dead', NOW, NOW + LEASE, 1, [])
  return store
}

test('the leases of a process without heartbeats are released', async () => {
  await using store = await storeWithDeadOwner()
  await using _heartbeat = await start('alive', store.owners)
  await until(async () => (await store.fanOut.lease('alive', NOW, NOW + LEASE)) !== null, 'the fan-out')
  assert.equal((await leased(store, NOW)).length, 1)
})

test('processes with heartbeats do not release each other', async () => {
  await using store = await openStore('sqlite::memory:')
  await using _one = await start('one', store.owners)
  await using _other = await start('other', store.owners)
  const heartbeatOf = async (owner: string) =>
    (await store.owners.recordHeartbeat('onlooker')).find((each) => each.owner === owner)!
  await until(async () => (await heartbeatOf('one')).beats > 50 && (await heartbeatOf('other')).beats > 50)
})

test('a process that stops releases its leases at once, and its owner is deleted', async () => {
  await using store = await storeWithDeadOwner()
  const heartbeat = await start('dead', store.owners)
  await heartbeat[Symbol.asyncDispose]()
  assert.notEqual(await store.fanOut.lease('next', NOW, NOW + LEASE), null)
  assert.equal((await leased(store, NOW)).length, 1)
  assert.deepEqual(await store.owners.recordHeartbeat('next'), [{ owner: 'next', beats: 1 }])
})

test('a database outage releases no leases, and heartbeats continue afterwards', async () => {
  await using store = await storeWithDeadOwner()
  const errors: unknown[] = []
  let away = false
  const beat = async (owner: string) => {
    if (away) throw new StoreUnavailable('away')
    return store.owners.recordHeartbeat(owner)
  }
  await using _heartbeat = await start(
    'alive',
    { recordHeartbeat: beat, releaseLeases: store.owners.releaseLeases },
    errors,
  )
  away = true
  await until(() => errors.length > 10, 'the errors')
  assert.equal(await store.fanOut.lease('alive', NOW, NOW + LEASE), null)
  away = false
  await until(async () => (await store.fanOut.lease('alive', NOW, NOW + LEASE)) !== null, 'the fan-out')
})
