import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { batchEnd, FanOut, type Match, PendingEvents } from '../../src/deliveries/fan-out.ts'
import { WatchIndex } from '../../src/deliveries/watch-index.ts'
import { places } from '../../src/geo/places.ts'
import { machine, pooledRandomBytes } from '../../src/lib/runtime.ts'
import { type Dispatch, type Store, StoreUnavailable } from '../../src/store/store.ts'
import {
  appendTo,
  aWatch,
  created,
  imported,
  LEASE,
  listedDeliveries,
  MAX_WATCHES,
  NOW,
  retracted,
  updated,
  watchId,
} from '../store/fixtures.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { withWatchesAt } from './fixtures.ts'

const URL = 'https://example.org/hook'
const KANO = {
  state: 'Kano',
  location: { place: null, precision: 'state', radius_km: 100, state_code: 'NG-KN', lga_code: null, lga_basis: null },
} as const

function run(
  store: Store,
  owner = 'node',
  room = 10_000,
  holdsLeases = () => true,
  prompt: ReadonlySet<string> = new Set(),
  yieldsLeases = () => false,
) {
  const sent: Dispatch[] = []
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const runner = new FanOut(store, new WatchIndex(store, places, onError), {
    owner,
    clock: () => NOW,
    runtime: machine,
    pollIntervalMs: 5,
    holdsLeases,
    yieldsLeases,
    onError,
    dispatcher: {
      isPrompt: (id) => prompt.has(id),
      waiting: 0,
      plan: (deliveries) =>
        deliveries.map((delivery, index) => ({ delivery, admission: index < room ? 'queue' : 'busy' })),
      postponedUntil: () => NOW + LEASE,
      sendLeased: (dispatches) => sent.push(...dispatches),
    },
  })
  return { sent, errors, [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose]() }
}

const deliveriesOf = async (store: Store, watch = 1) =>
  (await listedDeliveries(store, 'acc_1', watchId(watch), null, 5000, null)).map(({ eventSeq, sequence }) => [
    eventSeq,
    sequence,
  ])

describe('the fan-out', () => {
  it('writes deliveries for matching events, passes them to the dispatcher, and skips other events', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 2, URL)
    await using runner = run(store)
    await store.incidents.save([created(1), imported(2), created(3), retracted(3, 2), created(4)], NOW)
    await until(async () => (await deliveriesOf(store)).length === 3)
    assert.deepEqual(await deliveriesOf(store), [
      [5, 3],
      [3, 2],
      [1, 1],
    ])
    assert.equal(runner.sent.length, 6)
    assert.deepEqual(await store.deliveries.queueDepth(10), { waiting: 0, leased: 6, oldestDueAt: null })
  })

  it('tells whoever was told of any earlier version of every correction, and of the retraction', async () => {
    await using store = await openMemoryStore()
    const events = ['incident.created', 'incident.updated', 'incident.retracted'] as const
    await withWatchesAt(store, 0, URL)
    for (const [index, state] of ['NG-KD', 'NG-KN', 'NG-LA'].entries()) {
      const canonical = JSON.stringify({ state: [state] })
      await store.watches.add(aWatch(index + 1, { events, filter: { given: canonical, canonical } }), MAX_WATCHES)
    }
    await using _runner = run(store)
    // Told in Kaduna, corrected to Kano, corrected there twice, and withdrawn.
    await store.incidents.save(
      [created(1), ...[2, 3, 4].map((version) => updated(1, version, KANO)), retracted(1, 5, KANO), created(2, KANO)],
      NOW,
    )
    await until(async () => (await deliveriesOf(store, 2)).length === 5)
    assert.deepEqual((await deliveriesOf(store, 1)).map(([seq]) => seq).toReversed(), [1, 2, 3, 4, 5])
    assert.deepEqual((await deliveriesOf(store, 2)).map(([seq]) => seq).toReversed(), [2, 3, 4, 5, 6])
    assert.deepEqual(await deliveriesOf(store, 3), [])
  })

  it('gives what the schedule of a watch holds its time, by the worst severity of any version', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 0, URL)
    const events = ['incident.created', 'incident.updated'] as const
    const schedule = { digest: { every: 'hourly', hour: 0, breakSeverity: 'critical' }, quietHours: null } as const
    await store.watches.add(aWatch(1, { events, schedule }), MAX_WATCHES)
    await using runner = run(store)
    await store.incidents.save(
      [created(1, { severity: 'low' }), created(2, { severity: 'critical' }), updated(2, 2, { severity: 'low' })],
      NOW,
    )
    await until(async () => (await deliveriesOf(store)).length === 3)
    assert.deepEqual(
      runner.sent.map(({ delivery }) => [delivery.eventSeq, delivery.severity]),
      [
        [2, 'critical'],
        [3, 'critical'],
      ],
      'what was told at once is corrected at once',
    )
    const { oldestDueAt } = await store.deliveries.queueDepth(10)
    assert.ok(oldestDueAt! > NOW && oldestDueAt! % 3_600_000 === 0)
  })

  it('leases nothing while others may take its process for dead', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 1, URL)
    let asked = 0
    let holds = false
    await using _runner = run(store, 'node', 10_000, () => {
      asked++
      return holds
    })
    await appendTo(store, 1)
    await until(() => asked > 3)
    assert.deepEqual(await deliveriesOf(store), [])
    assert.notEqual(await store.fanOut.lease('other', NOW, NOW), null)
    holds = true
    await until(async () => (await deliveriesOf(store)).length === 1)
  })

  it('gives its lease away at once while newer nodes are to have it, and takes it again afterwards', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 1, URL)
    let yields = false
    await using runner = run(
      store,
      'node',
      10_000,
      () => !yields,
      undefined,
      () => yields,
    )
    await appendTo(store, 1)
    await until(() => runner.sent.length === 1)
    assert.equal(await store.fanOut.lease('newer', NOW, NOW + LEASE), null)
    yields = true
    await until(async () => (await store.fanOut.lease('newer', NOW, NOW + LEASE)) !== null, 'the lease')
    await store.incidents.save([created(7)], NOW)
    await store.fanOut.release('newer')
    yields = false
    await until(() => runner.sent.length === 2)
    assert.deepEqual(runner.errors, [])
  })

  it('leaves deliveries due for any node if this one has no capacity', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 2, URL)
    await using runner = run(store, 'node', 0)
    await appendTo(store, 1)
    await until(async () => (await store.deliveries.queueDepth(10)).waiting === 2)
    assert.deepEqual(runner.sent, [])
  })

  it('writes each delivery once if they need several transactions, even in the middle of an event', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 700, URL)
    await using runner = run(store)
    await appendTo(store, 3)
    await until(async () => (await deliveriesOf(store, 700)).length === 3)
    assert.equal(new Set(runner.sent.map(({ delivery }) => `${delivery.watchId} ${delivery.eventSeq}`)).size, 2100)
    assert.equal(runner.sent.length, 2100)
  })

  it('hands over watches that are known to answer before it has written the others', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 700, URL)
    const prompt = new Set([watchId(650), watchId(699)])
    await using runner = run(store, 'node', 10_000, undefined, prompt)
    await appendTo(store, 2)
    await until(async () => (await deliveriesOf(store, 700)).length === 2)
    const watches = runner.sent.map(({ delivery }) => delivery.watchId)
    assert.deepEqual(watches.slice(0, 2), [...prompt])
    assert.equal(new Set(runner.sent.map(({ delivery }) => delivery.id)).size, 1400)
    assert.deepEqual(await deliveriesOf(store, 650), [
      [2, 2],
      [1, 1],
    ])
  })

  it('writes all deliveries to watches that answer when the first, small batch ends inside an event', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 100, URL)
    const prompt = new Set(Array.from({ length: 100 }, (_, index) => watchId(index + 1)))
    await using runner = run(store, 'node', 10_000, undefined, prompt)
    await store.incidents.save(
      Array.from({ length: 15 }, (_, index) => created(index + 1)),
      NOW,
    )
    await until(async () => (await store.fanOut.lease('node', NOW, NOW + LEASE))?.seq === 15)
    assert.equal(new Set(runner.sent.map(({ delivery }) => `${delivery.watchId} ${delivery.eventSeq}`)).size, 1500)
    assert.equal(runner.sent.length, 1500)
  })

  it('continues where another node stopped in the middle of an event', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 3, URL)
    await appendTo(store, 1)
    const from = await store.fanOut.lease('dead', NOW - LEASE, NOW)
    const to = { seq: 0, afterWatchId: watchId(2) }
    const chunk = { from: from!, to, deliveries: [] }
    await store.fanOut.write('dead', chunk, NOW, null)
    await using runner = run(store)
    await until(() => runner.sent.length > 0)
    assert.deepEqual(
      runner.sent.map(({ delivery }) => delivery.watchId),
      [watchId(3)],
    )
  })

  it('includes a watch that was added just before the event, and none that was added after it', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 1, URL)
    await using runner = run(store)
    await appendTo(store, 1)
    await until(() => runner.sent.length === 1)
    const { secrets, filter } = (await store.watches.find('acc_1', watchId(1)))!
    await store.watches.add(aWatch(2, { url: URL, secrets, filter }), MAX_WATCHES)
    await appendTo(store, 2)
    await until(() => runner.sent.length === 3)
    assert.deepEqual(await deliveriesOf(store, 2), [[2, 1]])
  })

  it('runs on one of two nodes, and on the other once the first stops', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 1, URL)
    const one = run(store, 'one')
    await appendTo(store, 1)
    await until(() => one.sent.length === 1)
    await using other = run(store, 'other')
    await appendTo(store, 2)
    await until(() => one.sent.length === 2)
    await one[Symbol.asyncDispose]()
    await appendTo(store, 3)
    await until(() => other.sent.length === 1)
    assert.equal(one.sent.length, 2)
    assert.equal((await deliveriesOf(store)).length, 3)
  })

  it('reads its position again after a database outage', async () => {
    await using store = await openMemoryStore()
    await withWatchesAt(store, 1, URL)
    let lost = 2
    const write: Store['fanOut']['write'] = async (...values) => {
      const dispatches = await store.fanOut.write(...values)
      // The write was committed; only the response is lost.
      if (lost-- > 0) throw new StoreUnavailable('away')
      return dispatches
    }
    await using runner = run({ ...store, fanOut: { ...store.fanOut, write } })
    await appendTo(store, 1)
    await until(() => runner.errors.length === 1)
    await appendTo(store, 2)
    await until(() => runner.errors.length === 2)
    await appendTo(store, 3)
    await until(() => runner.sent.length === 1)
    assert.deepEqual(await deliveriesOf(store), [
      [3, 3],
      [2, 2],
      [1, 1],
    ])
  })
})

const anEvent = (seq: number) => ({ seq, kind: 'incident.created' as const, critical: false, severity: 'low' as const })
const watches = (ids: readonly string[], accountId = 'one') =>
  ids.map((id) => ({ id, accountId, schedule: null, receiver: null }))
const namesOf = (matches: readonly Match[]) => matches.map(({ event, watch }) => `${event.seq}${watch.id}`)

test('watches that are known to answer come first, the others by event and id', () => {
  const pending = new PendingEvents((id) => id === 'b' || id === 'd')
  assert.deepEqual(namesOf(pending.add(anEvent(1), watches(['a', 'b', 'c', 'd']))), ['1b', '1d'])
  assert.deepEqual(namesOf(pending.add(anEvent(2), watches(['b', 'c']))), ['2b'])
  assert.deepEqual([pending.size, pending.position], [3, { seq: 0, afterWatchId: null }])
  assert.deepEqual(namesOf(pending.take(1, 9)), ['1a'])
  assert.deepEqual(pending.position, { seq: 0, afterWatchId: 'a' })
  assert.deepEqual(namesOf(pending.take(1, 9)), ['1c'])
  assert.deepEqual(pending.position, { seq: 1, afterWatchId: null })
  assert.deepEqual(namesOf(pending.take(9, 9)), ['2c'])
  assert.deepEqual([pending.size, pending.position], [0, null])
})

test('a watch that waits for an earlier event is not among the first, even if it answers meanwhile', () => {
  const prompt = new Set<string>()
  const pending = new PendingEvents((id) => prompt.has(id))
  pending.add(anEvent(1), watches(['a']))
  prompt.add('a')
  assert.deepEqual(pending.add(anEvent(2), watches(['a'])), [])
  assert.deepEqual(namesOf(pending.take(9, 9)), ['1a', '2a'])
  assert.deepEqual(namesOf(pending.add(anEvent(3), watches(['a']))), ['3a'])
})

test('at most a hundred watches of an account come first', () => {
  const pending = new PendingEvents(() => true)
  const ids = Array.from({ length: 150 }, (_, index) => `w${String(index).padStart(3, '0')}`)
  const first = pending.add(anEvent(1), [...watches(ids), ...watches(['x'], 'two')])
  assert.deepEqual([first.length, namesOf(first).at(-1)], [101, '1x'])
  assert.deepEqual(namesOf(pending.take(1, 9)), ['1w100'])
})

test('few are taken at a time of watches that are not known to answer', () => {
  const pending = new PendingEvents(() => false)
  pending.add(anEvent(1), watches(['a', 'b', 'c']))
  assert.deepEqual(namesOf(pending.take(9, 2)), ['1a', '1b'])
})

/** `a1` is of receiver 1, `a` of a webhook. */
const received = (...ids: readonly string[]) =>
  ids.map((text) => ({
    id: text,
    accountId: 'one',
    schedule: null,
    receiver: text.length > 1 ? Number(text.slice(1)) : null,
  }))
const joinedOf = (matches: readonly Match[]) =>
  matches.map(({ watch, joined }) => (joined ? `+${watch.id}` : watch.id)).join(' ')

test('watches of one receiver come first together if one of them answers', () => {
  const pending = new PendingEvents((id) => id === 'c1' || id === 'b')
  assert.equal(joinedOf(pending.add(anEvent(1), received('a1', 'b', 'c1', 'd2', 'e1'))), 'a1 +c1 +e1 b')
  assert.equal(joinedOf(pending.take(9, 9)), 'd2')
  assert.deepEqual([pending.size, pending.position], [0, null])
})

test('watches of one receiver are taken together, and the position passes over none', () => {
  const pending = new PendingEvents(() => false)
  pending.add(anEvent(1), received('a1', 'b', 'c1', 'd', 'e1'))
  assert.equal(joinedOf(pending.take(1, 9)), 'a1 +c1 +e1')
  assert.deepEqual([pending.size, pending.position], [2, { seq: 0, afterWatchId: 'a1' }])
  assert.equal(joinedOf(pending.take(1, 9)), 'b')
  assert.deepEqual(pending.position, { seq: 0, afterWatchId: 'c1' })
  assert.equal(joinedOf(pending.take(1, 9)), 'd')
  assert.deepEqual([pending.size, pending.position], [0, null])
})

test('a receiver with a watch that waits for an earlier event waits with all of them', () => {
  const prompt = new Set<string>()
  const pending = new PendingEvents((id) => prompt.has(id))
  pending.add(anEvent(1), received('a1'))
  prompt.add('b1')
  assert.equal(joinedOf(pending.add(anEvent(2), received('a1', 'b1'))), '')
  assert.deepEqual(namesOf(pending.take(9, 9)), ['1a1', '2a1', '2b1'])
})

test('a batch ends where no receiver is parted', () => {
  const pending = new PendingEvents(() => true)
  const first = pending.add(anEvent(1), received('a', 'b1', 'c1', 'd1', 'e'))
  assert.equal(joinedOf(first), 'a b1 +c1 +d1 e')
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((size) => batchEnd(first, 0, size)),
    [1, 4, 4, 4, 5],
  )
})

test('very many watches of one receiver are parted, so that no transaction is long', () => {
  const pending = new PendingEvents(() => false)
  const ids = Array.from({ length: 200 }, (_, index) => `${String.fromCodePoint(0x100 + index)}1`)
  pending.add(anEvent(1), received(...ids))
  assert.deepEqual([pending.take(1, 1).length, pending.take(1, 1).length, pending.take(1, 1).length], [96, 96, 8])
})

it('pooled random bytes never repeat over several refills, and do not change afterwards', () => {
  const given = Array.from({ length: 1000 }, () => pooledRandomBytes(16))
  const texts = given.map((bytes) => Buffer.from(bytes).toString('hex'))
  assert.ok(given.every((bytes) => bytes.length === 16))
  assert.equal(new Set(texts).size, 1000)
  for (let more = 0; more < 1000; more++) pooledRandomBytes(16)
  assert.deepEqual(
    given.map((bytes) => Buffer.from(bytes).toString('hex')),
    texts,
  )
})
