import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Archive } from '../../src/archive/archive.ts'
import { findLoss } from '../../src/desk/lost-events.ts'
import { changesAfter, Follower, Freshness, RecentEvents } from '../../src/event-log/follower.ts'
import { Positions, parsePosition, positionText } from '../../src/event-log/positions.ts'
import { machine } from '../../src/lib/runtime.ts'
import { openStore } from '../../src/store/open.ts'
import { type LogReader, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { until } from '../support/app.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import fc from '../support/fast-check.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'

const HOUR = 3_600_000

test('a follower applies appended events when notified, without polling', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  const seen: number[] = []
  const onEvents = (events: readonly { seq: number }[]) => seen.push(...events.map(({ seq }) => seq))
  await using _follower = new Follower(archive, store.reader, {
    freshness: new Freshness({ clock: Date.now, elapsed: () => 0 }),
    runtime: machine,
    pollEvery: HOUR,
    onEvents,
    onLost: failOnLoss,
    onError: failOnError,
  })
  for (let number = 1; number <= 5; number++)
    await store.incidents.save([{ incident: anIncident(number), event: 'incident.created' }], Date.now())
  await until(() => archive.size === 5)
  assert.deepEqual(seen, [1, 2, 3, 4, 5])
})

test('a follower applies events by polling when a notification is lost', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  const withoutNotifications = { ...store.reader, onAppend: () => () => {} }
  await using _follower = new Follower(archive, withoutNotifications, {
    freshness: new Freshness({ clock: Date.now, elapsed: () => 0 }),
    runtime: machine,
    pollEvery: 5,
    onLost: failOnLoss,
    onError: failOnError,
  })
  await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  await until(() => archive.size === 1)
})

test('a follower reports an unavailable store, and continues when it is back', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  let away = true
  const errors: unknown[] = []
  const log: LogReader = {
    ...store.reader,
    followHead: (head, limit) =>
      away ? Promise.reject(new StoreUnavailable('away')) : store.events.followHead(head, limit),
  }
  let now = 1000
  const freshness = new Freshness({ clock: () => now, elapsed: () => now })
  await using _follower = new Follower(archive, log, {
    freshness,
    runtime: machine,
    pollEvery: 5,
    onLost: failOnLoss,
    onError: (error) => errors.push(error),
  })
  await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  await until(() => errors.length > 1)
  now = 5000
  assert.deepEqual([archive.size, freshness.inStepAt, freshness.behindMs], [0, '1970-01-01T00:00:01.000Z', 4000])
  away = false
  await until(() => archive.size === 1)
  assert.deepEqual([freshness.inStepAt, freshness.behindMs], ['1970-01-01T00:00:05.000Z', 0])
})

test('a follower of a standby is in step since the log had gone on by no more than the standby has', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  let lagMs: number | null = null
  let follows = 0
  const reader: LogReader = {
    ...store.reader,
    followHead: (...values) => {
      follows++
      return store.reader.followHead(...values)
    },
    get lagMs() {
      return lagMs
    },
  }
  let now = 1000
  const freshness = new Freshness({ clock: () => now, elapsed: () => now })
  await using _follower = new Follower(archive, reader, {
    freshness,
    runtime: machine,
    pollEvery: 5,
    onLost: failOnLoss,
    onError: failOnError,
  })
  now = 20_000
  await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  await until(() => archive.size === 1)
  assert.equal(freshness.behindMs, 19_000, 'a lag that is not known says nothing')
  lagMs = 7_000
  await until(() => freshness.behindMs < 19_000)
  assert.deepEqual([freshness.inStepAt, freshness.behindMs], ['1970-01-01T00:00:13.000Z', 7_000])
  assert.equal(freshness.staleSeconds, 7)
  lagMs = 10_000
  now = 22_000
  const before = follows
  await until(() => follows > before + 2)
  assert.equal(freshness.inStepAt, '1970-01-01T00:00:13.000Z', 'what is known of the archive is not forgotten')
})

test('a follower applies a backlog of thousands of events completely', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  const changes = Array.from({ length: 7000 }, (_, number) => ({
    incident: anIncident(number),
    event: 'incident.imported' as const,
  }))
  await store.incidents.save(changes, Date.now())
  await using _follower = new Follower(archive, store.reader, {
    freshness: new Freshness({ clock: Date.now, elapsed: () => 0 }),
    runtime: machine,
    pollEvery: HOUR,
    onLost: failOnLoss,
    onError: failOnError,
  })
  await until(() => archive.head.seq === 7000)
  assert.equal(archive.size, 7000)
})

function failOnError(error: unknown): void {
  throw error
}

function failOnLoss(): void {
  throw new Error('nothing was lost')
}

test('a node is in step since its start, until it could not read the log for five seconds, then since it can again', () => {
  let elapsed = 0
  const start = Date.parse('2026-11-15T12:00:00Z')
  const freshness = new Freshness({ clock: () => start + elapsed, elapsed: () => elapsed })
  const readAt = (time: number) => {
    elapsed = time
    freshness.recordInStep(freshness.currentMoment())
  }
  for (const second of [1, 2, 3]) readAt(second * 1000)
  assert.equal(freshness.inStepSince, '2026-11-15T12:00:00.000Z')
  elapsed = 8_001
  assert.equal(freshness.inStepSince, null)
  assert.equal(freshness.inStepAt, '2026-11-15T12:00:03.000Z')
  readAt(9_000)
  readAt(10_000)
  assert.equal(freshness.inStepSince, '2026-11-15T12:00:09.000Z')
})

const event = (seq: number) => anEvent(seq, anIncident(seq))
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => event(from + index))
const seqs = (recent: RecentEvents, after: number, limit = 100) => recent.after(after, limit)?.map(({ seq }) => seq)

test('recent events are returned in order, from any position', () => {
  const recent = new RecentEvents({ seq: 7, link: '' })
  assert.deepEqual(seqs(recent, 7), [])
  recent.addEvents(events(8, 10))
  assert.deepEqual(seqs(recent, 7), [8, 9, 10])
  assert.deepEqual(seqs(recent, 7, 2), [8, 9])
  assert.deepEqual(seqs(recent, 9), [10])
  assert.deepEqual(seqs(recent, 10), [])
  assert.equal(recent.after(6, 1), null)
})

test('recent events skip those added before', () => {
  const recent = new RecentEvents({ seq: 0, link: '' })
  recent.addEvents(events(1, 3))
  recent.addEvents(events(2, 4))
  assert.deepEqual(seqs(recent, 0), [1, 2, 3, 4])
})

test('recent events start again with a redaction: the earlier events may have what it took out', () => {
  const recent = new RecentEvents({ seq: 0, link: '' })
  recent.addEvents([...events(1, 3), { ...event(4), redacted: true }, event(5)])
  assert.equal(recent.since, 3)
  assert.equal(recent.after(2, 10), null)
  assert.deepEqual(seqs(recent, 3), [4, 5])
})

test('recent events start again after a gap', () => {
  const recent = new RecentEvents({ seq: 0, link: '' })
  recent.addEvents(events(1, 3))
  recent.addEvents(events(6, 7))
  assert.deepEqual([recent.since, seqs(recent, 5), seqs(recent, 3)], [5, [6, 7], undefined])
})

test('recent events are bounded by number and size, and never have a gap', () => {
  const size = event(1).document.length
  for (const most of [{ events: 5 }, { characters: size * 5 + 10 }]) {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), (batches) => {
        const recent = new RecentEvents({ seq: 0, link: '' }, most)
        let head = 0
        for (const batch of batches) {
          recent.addEvents(events(head + 1, head + batch))
          head += batch
          assert.equal(recent.since, Math.max(0, head - 5))
          for (let after = recent.since; after <= head; after++) {
            assert.deepEqual(
              seqs(recent, after),
              events(after + 1, head).map(({ seq }) => seq),
            )
          }
        }
      }),
    )
  }
})

const EVENTS = [1, 2, 3, 4, 5].map((seq) => anEvent(seq, anIncident(seq)))
const log = { reader: { after: async (seq: number, limit: number) => EVENTS.slice(seq, seq + limit) } }

test('a node that is behind returns the events it has applied, from memory or the log, and no later ones', async () => {
  const archive = await emptyArchive()
  archive.apply(EVENTS.slice(0, 3))
  const recent = new RecentEvents({ seq: 2, link: '' })
  recent.addEvents(EVENTS.slice(2, 3))
  const changes = async (seq: number) => (await changesAfter(archive, recent, log, seq, 10)).map((each) => each.seq)
  assert.deepEqual(await changes(0), [1, 2, 3])
  assert.deepEqual(await changes(2), [3])
  assert.deepEqual(await changes(3), [])
  assert.deepEqual(await changes(5), [], 'another node may have sent this position')
})

test('recent events know the links of the last events, those too that a redaction has taken from them', () => {
  const recent = new RecentEvents({ seq: 2, link: 'two' }, { events: 3 })
  assert.deepEqual([recent.linkOf(1), recent.linkOf(2), recent.linkOf(3)], [null, 'two', null])
  recent.addEvents(events(3, 7).map((each) => ({ ...each, link: `link ${each.seq}` })))
  assert.deepEqual(
    [3, 4, 5, 7, 8].map((seq) => recent.linkOf(seq)),
    ['link 3', 'link 4', 'link 5', 'link 7', null],
  )
  recent.addEvents([{ ...event(8), link: 'link 8', redacted: true }])
  assert.deepEqual(
    [6, 7, 8].map((seq) => recent.linkOf(seq)),
    ['link 6', 'link 7', 'link 8'],
  )
  assert.deepEqual([recent.after(6, 9), recent.after(7, 9)?.length, recent.linkedSince], [null, 1, 2])
  recent.addEvents([{ ...event(9), link: 'link 9' }])
  assert.deepEqual([recent.linkedSince, recent.linkOf(5), recent.linkOf(6)], [5, 'link 5', 'link 6'])
  recent.addEvents([{ ...event(11), link: 'link 11' }])
  assert.deepEqual(
    [9, 10, 11].map((seq) => recent.linkOf(seq)),
    [null, null, 'link 11'],
  )
})

/** Two stores whose logs have the same events up to `common`, and then others. */
async function partedStores(common: number, onlyOne: number, onlyOther: number) {
  const folder = await temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  const write = async (store: Store, from: number, count: number) => {
    for (let number = from; number < from + count; number++)
      await store.incidents.save([{ incident: anIncident(number), event: 'incident.created' }], Date.now())
  }
  {
    await using store = await openStore(`sqlite:${at('one.db')}`)
    await write(store, 0, common)
  }
  await copyFile(at('one.db'), at('other.db'))
  const stores = await Promise.all(['one.db', 'other.db'].map((name) => openStore(`sqlite:${at(name)}`)))
  const [one, other] = stores as [Store, Store]
  await write(one, 100, onlyOne)
  await write(other, 200, onlyOther)
  return {
    one,
    other,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('a follower notices once that the log has lost what it has, and then applies nothing', async () => {
  for (const [onlyOne, onlyOther] of [
    [2, 0],
    [2, 2],
    [2, 5],
    [1, 1],
  ] as const) {
    await using parted = await partedStores(3, onlyOne, onlyOther)
    const archive = await Archive.load(await parted.one.incidents.snapshot())
    let losses = 0
    await using _follower = new Follower(archive, parted.other.reader, {
      freshness: new Freshness({ clock: Date.now, elapsed: () => 0 }),
      runtime: machine,
      pollEvery: 5,
      onEvents: () => assert.fail('nothing may be applied'),
      onLost: () => losses++,
      onError: failOnError,
    })
    await until(() => losses > 0)
    await parted.other.incidents.save([{ incident: anIncident(300), event: 'incident.created' }], Date.now())
    await sleep(20)
    assert.deepEqual([losses, archive.head.seq], [1, 3 + onlyOne])
  }
})

test('a loss is found exactly, from any number of remembered events', async () => {
  for (const [common, onlyOne, onlyOther, remembered] of [
    [3, 2, 0, 5],
    [3, 2, 4, 5],
    [3, 2, 2, 2],
    [0, 3, 1, 3],
    [20, 1, 1, 9],
  ] as const) {
    await using parted = await partedStores(common, onlyOne, onlyOther)
    const all = await parted.one.events.after(0, 100)
    const seenSeq = common + onlyOne
    const since = all[seenSeq - remembered - 1]
    const recent = new RecentEvents({ seq: since?.seq ?? 0, link: since?.link ?? '' })
    recent.addEvents(all.slice(seenSeq - remembered))
    const loss = await findLoss(parted.other.events, recent, seenSeq)
    assert.deepEqual([loss.commonSeq, loss.events.map(({ seq }) => seq)], [common, upTo(common, seenSeq)])
  }
  await using parted = await partedStores(3, 4, 4)
  const all = await parted.one.events.after(0, 100)
  const recent = new RecentEvents({ seq: 5, link: all[4]!.link! })
  recent.addEvents(all.slice(5))
  const loss = await findLoss(parted.other.events, recent, 7)
  assert.deepEqual([loss.commonSeq, loss.events.map(({ seq }) => seq)], [null, [6, 7]], 'it came before')
})

const upTo = (after: number, last: number) => Array.from({ length: last - after }, (_, index) => after + index + 1)

test('a list that was begun behind a fork of this moment goes on, one behind a fork that is lost does not', async () => {
  await using store = await openMemoryStore()
  const publishAndFork = async (number: number) => {
    await store.incidents.save([{ incident: anIncident(number), event: 'incident.created' }], Date.now())
    await store.chain.fork(null, Date.now())
  }
  await publishAndFork(1)
  let isAway = false
  const positions = await Positions.open({
    chain: {
      forks: async () => {
        if (isAway) throw new StoreUnavailable('away')
        return store.chain.forks()
      },
    },
    log: store.events,
    recent: { linkOf: () => null },
    head: () => ({ seq: 0, link: '' }),
    elapsed: () => 0,
    onError: () => {},
  })
  await publishAndFork(2)
  const begun = parsePosition(positionText(await store.events.head()))!
  const lost = parsePosition(`${begun.seq}.${begun.hash}.zzzzzz`)!
  // Without the store nobody can tell, and reads go on.
  isAway = true
  for (const position of [begun, lost]) await positions.requireNoFork(position)
  isAway = false
  await positions.requireNoFork(begun)
  await assert.rejects(positions.requireNoFork(lost), { code: 'position_lost' })
})
