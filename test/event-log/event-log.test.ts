import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Archive } from '../../src/archive/archive.ts'
import { changesAfter, Follower, Freshness, RecentEvents, type UnknownPosition } from '../../src/event-log/follower.ts'
import { machine } from '../../src/lib/runtime.ts'
import { type LogEvent, type LogReader, StoreUnavailable } from '../../src/store/store.ts'
import { until } from '../support/app.ts'
import { anEvent, emptyArchive } from '../support/archive.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import fc from '../support/fast-check.ts'
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
    follow: (seq, limit) => (away ? Promise.reject(new StoreUnavailable('away')) : store.events.follow(seq, limit)),
  }
  let now = 1000
  const freshness = new Freshness({ clock: () => now, elapsed: () => now })
  await using _follower = new Follower(archive, log, {
    freshness,
    runtime: machine,
    pollEvery: 5,
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
    follow: (...values) => {
      follows++
      return store.reader.follow(...values)
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
    onError: failOnError,
  })
  await until(() => archive.head.seq === 7000)
  assert.equal(archive.size, 7000)
})

function failOnError(error: unknown): void {
  throw error
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
  const recent = new RecentEvents(7)
  assert.deepEqual(seqs(recent, 7), [])
  recent.addEvents(events(8, 10))
  assert.deepEqual(seqs(recent, 7), [8, 9, 10])
  assert.deepEqual(seqs(recent, 7, 2), [8, 9])
  assert.deepEqual(seqs(recent, 9), [10])
  assert.deepEqual(seqs(recent, 10), [])
  assert.equal(recent.after(6, 1), null)
})

test('recent events skip those added before', () => {
  const recent = new RecentEvents(0)
  recent.addEvents(events(1, 3))
  recent.addEvents(events(2, 4))
  assert.deepEqual(seqs(recent, 0), [1, 2, 3, 4])
})

test('recent events start again with a redaction: the earlier events may have what it took out', () => {
  const recent = new RecentEvents(0)
  recent.addEvents([...events(1, 3), { ...event(4), redacted: true }, event(5)])
  assert.equal(recent.since, 3)
  assert.equal(recent.after(2, 10), null)
  assert.deepEqual(seqs(recent, 3), [4, 5])
})

test('recent events start again after a gap', () => {
  const recent = new RecentEvents(0)
  recent.addEvents(events(1, 3))
  recent.addEvents(events(6, 7))
  assert.deepEqual([recent.since, seqs(recent, 5), seqs(recent, 3)], [5, [6, 7], undefined])
})

test('recent events are bounded by number and size, and never have a gap', () => {
  const size = event(1).document.length
  for (const most of [{ events: 5 }, { characters: size * 5 + 10 }]) {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }), (batches) => {
        const recent = new RecentEvents(0, most)
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
const log = {
  reader: { after: async (seq: number, limit: number) => EVENTS.slice(seq, seq + limit) },
  events: { head: async () => ({ seq: EVENTS.length, at: 0 }), lastBeforeGap: async () => null },
}
const seqsOf = (events: readonly LogEvent[] | UnknownPosition) =>
  Array.isArray(events) ? events.map(({ seq }) => seq) : events

test('a node that is behind returns the events it has applied, from memory or the log, and no later ones', async () => {
  const archive = await emptyArchive()
  archive.apply(EVENTS.slice(0, 3))
  const recent = new RecentEvents(2)
  recent.addEvents(EVENTS.slice(2, 3))
  const changes = async (seq: number) => seqsOf(await changesAfter(archive, recent, log, seq, 10))
  assert.deepEqual(await changes(0), [1, 2, 3])
  assert.deepEqual(await changes(2), [3])
  assert.deepEqual(await changes(3), [])
  assert.deepEqual(await changes(5), [], 'another node may have sent this position')
  assert.deepEqual(await changes(6), { notReached: 3 }, 'no node can have')
})
