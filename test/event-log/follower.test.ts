import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Archive } from '../../src/archive/archive.ts'
import { Follower, Freshness } from '../../src/event-log/follower.ts'
import { type EventLog, StoreUnavailable } from '../../src/store/store.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/memory-store.ts'
import { anIncident } from '../support/incident.ts'

const HOUR = 3_600_000

test('applies appended events when notified, without polling', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  const seen: number[] = []
  const onEvents = (events: readonly { seq: number }[]) => seen.push(...events.map(({ seq }) => seq))
  await using _follower = new Follower(archive, store.events, {
    freshness: new Freshness({ clock: Date.now, elapsed: () => 0 }),
    pollEvery: HOUR,
    onEvents,
    onError: failOnError,
  })
  for (let number = 1; number <= 5; number++)
    await store.incidents.save([{ incident: anIncident(number), event: 'incident.created' }], Date.now())
  await until(() => archive.size === 5)
  assert.deepEqual(seen, [1, 2, 3, 4, 5])
})

test('applies events by polling when a notification is lost', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  const withoutNotifications: EventLog = { ...bound(store.events), onAppend: () => () => {} }
  await using _follower = new Follower(archive, withoutNotifications, {
    freshness: new Freshness({ clock: Date.now, elapsed: () => 0 }),
    pollEvery: 5,
    onError: failOnError,
  })
  await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  await until(() => archive.size === 1)
})

test('reports an unavailable store, and continues when it is back', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  let away = true
  const errors: unknown[] = []
  const log: EventLog = {
    ...bound(store.events),
    after: (seq, limit) => (away ? Promise.reject(new StoreUnavailable('away')) : store.events.after(seq, limit)),
  }
  let now = 1000
  const freshness = new Freshness({ clock: () => now, elapsed: () => now })
  await using _follower = new Follower(archive, log, {
    freshness,
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

test('applies a backlog of thousands of events completely', async () => {
  await using store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  const changes = Array.from({ length: 7000 }, (_, number) => ({
    incident: anIncident(number),
    event: 'incident.imported' as const,
  }))
  await store.incidents.save(changes, Date.now())
  await using _follower = new Follower(archive, store.events, {
    freshness: new Freshness({ clock: Date.now, elapsed: () => 0 }),
    pollEvery: HOUR,
    onError: failOnError,
  })
  await until(() => archive.head.seq === 7000)
  assert.equal(archive.size, 7000)
})

function bound(log: EventLog): EventLog {
  return { ...log }
}

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
