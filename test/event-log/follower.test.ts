import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Archive } from '../../src/archive/archive.ts'
import { Follower } from '../../src/event-log/follower.ts'
import { openStore } from '../../src/store/open.ts'
import { type EventLog, StoreUnavailable } from '../../src/store/store.ts'
import { until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

const HOUR = 3_600_000

test('a follower takes in what is appended, by the wake-up alone', async () => {
  await using store = await openStore('sqlite::memory:')
  const archive = await Archive.load(await store.incidents.snapshot())
  const seen: number[] = []
  const onEvents = (events: readonly { seq: number }[]) => seen.push(...events.map(({ seq }) => seq))
  await using _follower = new Follower(archive, store.events, {
    clock: Date.now,
    pollEvery: HOUR,
    onEvents,
    onError: noTrouble,
  })
  for (let number = 1; number <= 5; number++)
    await store.incidents.save([{ incident: anIncident(number), event: 'incident.created' }], Date.now())
  await until(() => archive.size === 5)
  assert.deepEqual(seen, [1, 2, 3, 4, 5])
})

test('a lost wake-up costs time, never an event', async () => {
  await using store = await openStore('sqlite::memory:')
  const archive = await Archive.load(await store.incidents.snapshot())
  const deaf: EventLog = { ...bound(store.events), onAppend: () => () => {} }
  await using _follower = new Follower(archive, deaf, { clock: Date.now, pollEvery: 5, onError: noTrouble })
  await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  await until(() => archive.size === 1)
})

test('a store that is away is told of, and followed again when it is back', async () => {
  await using store = await openStore('sqlite::memory:')
  const archive = await Archive.load(await store.incidents.snapshot())
  let away = true
  const troubles: unknown[] = []
  const log: EventLog = {
    ...bound(store.events),
    after: (seq, limit) => (away ? Promise.reject(new StoreUnavailable('away')) : store.events.after(seq, limit)),
  }
  let now = 1000
  await using follower = new Follower(archive, log, {
    clock: () => now,
    pollEvery: 5,
    onError: (error) => troubles.push(error),
  })
  await store.incidents.save([{ incident: anIncident(1), event: 'incident.created' }], Date.now())
  await until(() => troubles.length > 1)
  now = 5000
  assert.deepEqual([archive.size, follower.caughtUpAt], [0, 1000])
  away = false
  await until(() => archive.size === 1)
  assert.equal(follower.caughtUpAt, 5000)
})

test('thousands of events that wait are taken in whole', async () => {
  await using store = await openStore('sqlite::memory:')
  const archive = await Archive.load(await store.incidents.snapshot())
  const changes = Array.from({ length: 7000 }, (_, number) => ({
    incident: anIncident(number),
    event: 'incident.imported' as const,
  }))
  await store.incidents.save(changes, Date.now())
  await using _follower = new Follower(archive, store.events, {
    clock: Date.now,
    pollEvery: HOUR,
    onError: noTrouble,
  })
  await until(() => archive.head.seq === 7000)
  assert.equal(archive.size, 7000)
})

function bound(log: EventLog): EventLog {
  return { ...log }
}

function noTrouble(error: unknown): void {
  throw error
}
