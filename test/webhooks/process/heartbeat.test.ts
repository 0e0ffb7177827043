import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { type Owners, StoreUnavailable } from '../../../src/store/store.ts'
import { Heartbeat } from '../../../src/webhooks/process/heartbeat.ts'
import { hasEnded } from '../../../src/webhooks/process/process-name.ts'
import { NOW } from '../../store/fixtures.ts'
import { appendTo, LEASE, leased, newDelivery, withWatches } from '../../store/watch-fixtures.ts'
import { until } from '../../support/app.ts'

function start(owner: string, owners: Owners, troubles: unknown[] = []): Promise<Heartbeat> {
  const onError = (error: unknown) => troubles.push(error)
  return Heartbeat.start(owners, { owner, clock: () => NOW, hasEnded, intervalMs: 1, onError })
}

/** A store in which the owner `dead` holds the fan-out and a delivery, and beats no more. */
async function afterDeath() {
  const store = await openStore('sqlite::memory:')
  await withWatches(store, 1)
  await appendTo(store, 2)
  await store.deliveries.add([newDelivery(1, 1)], NOW)
  await store.owners.recordHeartbeat('dead')
  await store.fanOut.lease('dead', NOW, NOW + LEASE)
  await store.deliveries.lease('dead', NOW, NOW + LEASE, 1, [])
  return store
}

test('what a process held that beats no more is freed', async () => {
  await using store = await afterDeath()
  await using _heart = await start('alive', store.owners)
  await until(async () => (await store.fanOut.lease('alive', NOW, NOW + LEASE)) !== null, 'the fan-out')
  assert.equal((await leased(store, NOW)).length, 1)
})

test('those who beat leave each other alone', async () => {
  await using store = await openStore('sqlite::memory:')
  await using _one = await start('one', store.owners)
  await using _other = await start('other', store.owners)
  const pulse = async (owner: string) =>
    (await store.owners.recordHeartbeat('onlooker')).find((each) => each.owner === owner)!
  await until(async () => (await pulse('one')).beats > 50 && (await pulse('other')).beats > 50)
})

test('whoever stops lets go of everything at once, and is forgotten', async () => {
  await using store = await afterDeath()
  const heart = await start('dead', store.owners)
  await heart[Symbol.asyncDispose]()
  assert.notEqual(await store.fanOut.lease('next', NOW, NOW + LEASE), null)
  assert.equal((await leased(store, NOW)).length, 1)
  assert.deepEqual(await store.owners.recordHeartbeat('next'), [{ owner: 'next', beats: 1 }])
})

test('a database that is away is waited for, and nobody is taken for dead because of it', async () => {
  await using store = await afterDeath()
  const troubles: unknown[] = []
  let away = false
  const beat = async (owner: string) => {
    if (away) throw new StoreUnavailable('away')
    return store.owners.recordHeartbeat(owner)
  }
  await using _heart = await start(
    'alive',
    { recordHeartbeat: beat, releaseLeases: store.owners.releaseLeases },
    troubles,
  )
  away = true
  await until(() => troubles.length > 10, 'the troubles')
  assert.equal(await store.fanOut.lease('alive', NOW, NOW + LEASE), null)
  away = false
  await until(async () => (await store.fanOut.lease('alive', NOW, NOW + LEASE)) !== null, 'the fan-out')
})
