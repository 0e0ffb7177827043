import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LiveFeedOptions, runLiveFeed } from '../../src/demo/live-feed.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { timeText } from '../../src/lib/time.ts'
import { type IncidentChange, StoreUnavailable } from '../../src/store/store.ts'
import { smallPlaces as places } from './small-places.ts'

const START = Date.UTC(2026, 0, 1)

/** Runs the feed for `rounds` changes, on a clock that only waiting advances. */
async function arrive(rounds: number, options: Partial<LiveFeedOptions> = {}) {
  const abort = new AbortController()
  const changes: IncidentChange[] = []
  const savedAt: number[] = []
  const waits: number[] = []
  const errors: unknown[] = []
  let time = START
  await runLiveFeed({
    places,
    signal: abort.signal,
    interval: 4000,
    jitter: 0.5,
    now: () => time,
    random: seededRandom(9),
    onError: (error) => errors.push(error),
    save: async ([change], now) => {
      changes.push(change!)
      savedAt.push(now)
      return []
    },
    wait: async (milliseconds) => {
      waits.push(milliseconds)
      time += Math.round(milliseconds)
      if (waits.length > rounds) abort.abort()
    },
    ...options,
  })
  return { changes, savedAt, waits, errors }
}

test('incidents arrive, published at the moment they are saved', async () => {
  const { changes, savedAt } = await arrive(50)
  assert.equal(changes.length, 50)
  changes.forEach(({ incident, event }, at) => {
    assert.equal(incident.updated_at, timeText(savedAt[at]!))
    if (event === 'incident.created') assert.equal(incident.published_at, incident.updated_at)
  })
})

test('intervals deviate from the mean by at most the jitter', async () => {
  const { waits } = await arrive(500)
  assert.ok(Math.min(...waits) >= 2000 && Math.max(...waits) <= 6000)
  assert.ok(Math.max(...waits) - Math.min(...waits) > 3000)
})

test('about one change in twelve is a correction, one in forty a retraction', async () => {
  const { changes } = await arrive(6000)
  const share = (kind: string) => changes.filter(({ event }) => event === kind).length / changes.length
  assert.ok(Math.abs(share('incident.updated') - 1 / 12) < 0.02)
  assert.ok(Math.abs(share('incident.retracted') - 1 / 40) < 0.01)
})

test('each change follows on the version saved before, and nothing follows a retraction', async () => {
  const { changes } = await arrive(2000)
  const saved = new Map<string, Incident>()
  for (const { incident, event } of changes) {
    const before = saved.get(incident.id)
    assert.equal(incident.version, (before?.version ?? 0) + 1)
    assert.equal(before === undefined, event === 'incident.created')
    assert.equal(incident.status, event === 'incident.retracted' ? 'retracted' : 'confirmed')
    assert.notEqual(before?.status, 'retracted')
    saved.set(incident.id, incident)
  }
})

test('an unavailable store is reported, and the feed goes on', async () => {
  const saved: IncidentChange[] = []
  let calls = 0
  const { errors } = await arrive(100, {
    save: async ([change]) => {
      if (++calls % 2 === 0) throw new StoreUnavailable('away')
      saved.push(change!)
      return []
    },
  })
  assert.equal(errors.length, 50)
  assert.ok(errors.every((error) => error instanceof StoreUnavailable))
  assert.equal(saved.length, 50)
})

test('an incident whose change failed is not changed again', async () => {
  const failed = new Set<string>()
  await arrive(2000, {
    save: async ([change]) => {
      assert.ok(!failed.has(change!.incident.id))
      if (change!.event === 'incident.updated') {
        failed.add(change!.incident.id)
        throw new StoreUnavailable('away')
      }
      return []
    },
  })
  assert.ok(failed.size > 0)
})

test('a feed aborted before its start saves nothing', async () => {
  const { changes } = await arrive(10, { signal: AbortSignal.abort() })
  assert.equal(changes.length, 0)
})

test('aborting ends a wait on the real clock', async () => {
  const abort = new AbortController()
  const save = () => assert.fail('nothing was due')
  const onError = () => {}
  const running = runLiveFeed({ places, save, onError, signal: abort.signal, interval: 3_600_000, jitter: 0 })
  abort.abort()
  await running
})
