import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it, test } from 'node:test'
import { promisify } from 'node:util'
import { Heartbeat, hasEnded, newProcessName } from '../../src/deliveries/heartbeat.ts'
import { lastSeqBefore, recoverWatch } from '../../src/deliveries/recover.ts'
import type { Watch } from '../../src/domain/watch.ts'
import { parseWatchFilter } from '../../src/filter/live-filters.ts'
import { places } from '../../src/geo/places.ts'
import { machine } from '../../src/lib/runtime.ts'
import { type IncidentChange, type Owners, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { SCHEMA } from '../../src/version.ts'
import {
  appendTo,
  created,
  deliveryId,
  imported,
  LEASE,
  listedDeliveries,
  NONE_FULL,
  NOW,
  newDelivery,
  refused,
  retracted,
  updated,
  watchId,
  withWatches,
} from '../store/fixtures.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'

function start(owner: string, owners: Owners, errors: unknown[] = []): Promise<Heartbeat> {
  const onError = (error: unknown) => errors.push(error)
  return Heartbeat.start(owners, {
    owner,
    clock: () => NOW,
    runtime: { ...machine, elapsed: () => 0, wallClock: () => NOW },
    hasEnded,
    intervalMs: 1,
    onError,
  })
}

/** Opens a store in which `dead` leases the fan-out and a delivery, without further heartbeats. */
async function storeWithDeadOwner() {
  const store = await openMemoryStore()
  await withWatches(store, 1)
  await appendTo(store, 2)
  await store.deliveries.add([newDelivery(1, 1)], NOW)
  await store.owners.recordHeartbeat('dead')
  await store.fanOut.lease('dead', NOW, NOW + LEASE)
  await store.deliveries.lease('dead', NOW, NOW + LEASE, 1, NONE_FULL)
  return store
}

test('the leases of a process without heartbeats are released', async () => {
  await using store = await storeWithDeadOwner()
  await using _heartbeat = await start('alive', store.owners)
  await until(async () => (await store.fanOut.lease('alive', NOW, NOW + LEASE)) !== null, 'the fan-out')
  const { dispatches } = await store.deliveries.lease('alive', NOW, NOW + LEASE, 9, NONE_FULL)
  assert.deepEqual(
    dispatches.map(({ delivery }) => delivery.maybeAttempted),
    [true],
  )
})

test('processes with heartbeats do not release each other', async () => {
  await using store = await openMemoryStore()
  await using _one = await start('one', store.owners)
  await using _other = await start('other', store.owners)
  const heartbeatOf = async (owner: string) =>
    (await store.owners.recordHeartbeat('onlooker')).heartbeats.find((each) => each.owner === owner)!
  await until(async () => (await heartbeatOf('one')).beats > 50 && (await heartbeatOf('other')).beats > 50)
})

for (const hasUnrecorded of [false, true]) {
  const sent = hasUnrecorded ? 'a message that it has not recorded' : 'nothing that it has not recorded'
  test(`a process that stops and sent ${sent} releases its leases at once, and its owner is deleted`, async () => {
    await using store = await storeWithDeadOwner()
    const heartbeat = await start('dead', store.owners)
    heartbeat.addListener({ onRecorded() {}, onFenced() {}, hasUnrecorded: () => hasUnrecorded })
    await heartbeat[Symbol.asyncDispose]()
    assert.notEqual(await store.fanOut.lease('next', NOW, NOW + LEASE), null)
    const { dispatches } = await store.deliveries.lease('next', NOW, NOW + LEASE, 9, NONE_FULL)
    assert.deepEqual(
      dispatches.map(({ delivery }) => delivery.maybeAttempted),
      [hasUnrecorded],
    )
    assert.deepEqual((await store.owners.recordHeartbeat('next')).heartbeats, [{ owner: 'next', beats: 1 }])
  })
}

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

/** A heartbeat that beats when told, with clocks that a test can move. */
async function startByHand(owners: Owners) {
  const now = { elapsed: 0, machineClock: NOW }
  const told: string[] = []
  let beats = 0
  const counting: Owners = {
    ...owners,
    recordHeartbeat: async (owner) => {
      const heartbeats = await owners.recordHeartbeat(owner)
      beats++
      return heartbeats
    },
    releaseLeases: (heartbeat, at, maybeAttempted) => {
      if (heartbeat.owner === 'node') told.push(maybeAttempted ? 'released' : 'released as unsent')
      return owners.releaseLeases(heartbeat, at, maybeAttempted)
    },
  }
  const heartbeat = await Heartbeat.start(counting, {
    owner: 'node',
    clock: () => NOW,
    runtime: { ...machine, elapsed: () => now.elapsed, wallClock: () => now.machineClock },
    hasEnded: () => false,
    intervalMs: 20,
    onError: (error) => assert.fail(String(error)),
  })
  heartbeat.addListener({
    onRecorded: () => told.push('recorded'),
    onFenced: () => told.push('fenced'),
    hasUnrecorded: () => true,
  })
  const beatOnce = async () => {
    const before = beats
    await until(() => beats > before, 'a heartbeat')
  }
  return { heartbeat, now, told, beatOnce, [Symbol.asyncDispose]: () => heartbeat[Symbol.asyncDispose]() }
}

for (const clock of ['elapsed', 'machineClock'] as const) {
  test(`leases hold for three intervals after a heartbeat, by the ${clock} time`, async () => {
    await using store = await openMemoryStore()
    await using it = await startByHand(store.owners)
    assert.equal(it.heartbeat.holdsLeases, true)
    // In one turn of the event loop: no heartbeat comes in between.
    it.now[clock] += 59
    assert.equal(it.heartbeat.holdsLeases, true)
    it.now[clock] += 1
    assert.equal(it.heartbeat.holdsLeases, false)
    await it.beatOnce()
    await until(() => it.heartbeat.holdsLeases, 'the next heartbeat')
  })
}

test('a process that others took for dead finds itself fenced, and frees what it leased meanwhile', async () => {
  await using store = await storeWithDeadOwner()
  await using it = await startByHand(store.owners)
  const own = (await store.owners.recordHeartbeat('onlooker')).heartbeats.find(({ owner }) => owner === 'node')!
  await until(async () => {
    const [heartbeat] = (await store.owners.recordHeartbeat('onlooker')).heartbeats.filter(
      ({ owner }) => owner === 'node',
    )
    return heartbeat === undefined || (await store.owners.releaseLeases(heartbeat, NOW, true))
  }, 'the release')
  assert.ok(own.beats >= 1)
  await until(() => it.told.includes('fenced'), 'the fence')
  await until(() => it.told.at(-1) === 'recorded', 'the next heartbeat')
  assert.equal(it.heartbeat.holdsLeases, true)
  assert.deepEqual(
    it.told.filter((each) => each !== 'recorded'),
    ['fenced', 'released'],
  )
})

test('a node leaves its leases to newer nodes as long as one is alive', async () => {
  await using store = await openMemoryStore()
  const beatOf = async (owner: string) =>
    (await store.owners.recordHeartbeat(owner)).heartbeats.find((heartbeat) => heartbeat.owner === owner)!
  await using heartbeat = await start('here/1/a/40', store.owners)
  await using _older = await start('here/2/b/39', store.owners)
  await using _before = await start('here/3/c', store.owners)
  await until(() => heartbeat.schemas.oldest === 38, 'the oldest')
  assert.deepEqual(heartbeat.schemas, { own: 40, oldest: 38, newest: 40, database: { version: SCHEMA, needs: 38 } })
  assert.deepEqual([heartbeat.yieldsLeases, heartbeat.holdsLeases], [false, true])
  await beatOf('elsewhere/1/d/41')
  await until(() => heartbeat.schemas.newest === 41, 'the newer node')
  assert.deepEqual([heartbeat.yieldsLeases, heartbeat.holdsLeases], [true, false])
  // It says nothing more, and is taken for dead.
  await until(() => heartbeat.holdsLeases, 'the end of the newer node')
  assert.equal(heartbeat.schemas.newest, 40)
})

test('nodes know whether an older one is alive', async () => {
  await using store = await openMemoryStore()
  await using heartbeat = await start('here/1/a/40', store.owners)
  assert.equal(heartbeat.schemas.oldest, 40)
  const older = await start('here/2/b/39', store.owners)
  await until(() => heartbeat.schemas.oldest === 39, 'the older node')
  await older[Symbol.asyncDispose]()
  await until(() => heartbeat.schemas.oldest === 40, 'its end')
})

test('the name of a process says which schema it knows', () => {
  assert.match(newProcessName(), new RegExp(`^[^/]*/${process.pid}/[^/]+/${SCHEMA}$`))
})

const SOURCE = new URL('../../src/deliveries/heartbeat.ts', import.meta.url).href

/** Returns the name of another process, which has ended. */
async function nameOfEndedProcess(): Promise<string> {
  const code = `import { newProcessName } from '${SOURCE}'; process.stdout.write(newProcessName())`
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])).stdout
}

test('no two processes have the same name', () => {
  assert.notEqual(newProcessName(), newProcessName())
})

test('an ended process of this machine is recognized by its name', { skip: process.platform !== 'linux' }, async () => {
  assert.equal(hasEnded(await nameOfEndedProcess()), true)
})

test('a running process of this machine has not ended', { skip: process.platform !== 'linux' }, () => {
  const [space, , unique] = newProcessName().split('/')
  assert.equal(hasEnded([space, process.ppid, unique].join('/')), false)
})

test('an earlier process with the pid of this one has ended', { skip: process.platform !== 'linux' }, () => {
  const name = newProcessName()
  assert.equal(hasEnded(name), false)
  assert.equal(hasEnded(name.replace(/[^/]+$/, 'another')), true)
})

test('a process of another machine counts as running', async () => {
  const [, ...rest] = (await nameOfEndedProcess()).split('/')
  for (const space of ['elsewhere', '']) assert.equal(hasEnded([space, ...rest].join('/')), false, space)
})

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
