import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { corrected, fillWithHistory, type LiveFeedOptions, retracted, runLiveFeed } from '../../src/demo/live-feed.ts'
import { StoryFeed } from '../../src/demo/story-feed.ts'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { parseItems } from '../../src/desk/sources/feed-worker.ts'
import { type Incident, severityOf } from '../../src/domain/incident.ts'
import { places as nigeria } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { timeText } from '../../src/lib/time.ts'
import { extract } from '../../src/reading/extract.ts'
import { type IncidentChange, StoreUnavailable } from '../../src/store/store.ts'
import { smallPlaces as places, TEN_YEARS } from './small-places.ts'

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

describe('corrections', () => {
  const incidents = [...syntheticIncidents({ places: nigeria, seed: 11, count: 5000, ...TEN_YEARS })]
  const now = TEN_YEARS.until

  test('a correction raises one figure and mentions it, twice in a row', () => {
    const random = seededRandom(1)
    for (const incident of incidents) {
      const once = corrected(incident, now, random)
      if (!once) continue
      const twice = corrected(once, now + 1, random) ?? once
      for (const [before, after] of [
        [incident, once],
        [once, twice],
      ] as const) {
        if (before === after) continue
        const risen = (['killed', 'injured', 'abducted'] as const).filter(
          (harm) => after.casualties[harm] !== before.casualties[harm],
        )
        assert.equal(risen.length, 1)
        assert.ok(after.casualties[risen[0]!]! > (before.casualties[risen[0]!] ?? 0))
        assert.equal(after.version, before.version + 1)
        assert.equal(after.severity, severityOf(after.type, after.casualties))
        assert.notEqual(after.summary, before.summary)
        assert.ok(after.summary.length <= 260, after.summary)
        assert.match(after.summary, /^\[Synthetic\] [A-Z][^.]*\. [A-Z][^.]*\.$/)
        assert.deepEqual(Object.keys(after), Object.keys(before))
      }
      assert.equal(once.updated_at, timeText(now))
      assert.equal(once.published_at, incident.published_at)
    }
  })

  test('a release has no figure that could rise', () => {
    const release = incidents.find(({ type }) => type === 'hostage_release')!
    assert.equal(corrected(release, now, seededRandom(1)), null)
  })

  test('a kidnapping never grows into a mass abduction', () => {
    const kidnapping = incidents.find(({ type, casualties }) => type === 'kidnapping' && casualties.abducted === 9)!
    const random = seededRandom(1)
    for (let time = 0; time < 50; time++) assert.equal(corrected(kidnapping, now, random)?.casualties.abducted, 9)
  })

  test('a retraction is the next version of the same incident', () => {
    const [incident] = incidents
    assert.deepEqual(retracted(incident!, now), {
      ...incident,
      status: 'retracted',
      version: 2,
      updated_at: timeText(now),
    })
  })
})

describe('fill history', () => {
  const history = { places, seed: 1, count: 25, ...TEN_YEARS }
  const now = () => TEN_YEARS.until

  test('history is imported in batches, in published order, and reaches no watch', async () => {
    const calls: { changes: readonly IncidentChange[]; now: number }[] = []
    const progress: number[] = []
    const save = async (changes: readonly IncidentChange[], time: number) => {
      calls.push({ changes, now: time })
      return []
    }
    const onProgress = (saved: number) => progress.push(saved)
    assert.equal(await fillWithHistory({ ...history, store: { incidents: { save } }, now, batch: 10, onProgress }), 25)
    assert.deepEqual(progress, [10, 20, 25])
    assert.ok(calls.every((call) => call.now === now()))
    const changes = calls.flatMap((call) => call.changes)
    assert.ok(changes.every(({ event }) => event === 'incident.imported'))
    assert.deepEqual(
      changes.map(({ incident }) => incident),
      [...syntheticIncidents(history)],
    )
  })

  test('no incidents need no transaction', async () => {
    const save = () => assert.fail('nothing to save')
    assert.equal(await fillWithHistory({ ...history, count: 0, store: { incidents: { save } }, now }), 0)
  })

  test('a failing store stops the import', async () => {
    const save = async () => {
      throw new StoreUnavailable('away')
    }
    await assert.rejects(fillWithHistory({ ...history, store: { incidents: { save } }, now }), StoreUnavailable)
  })
})

describe('story feed', () => {
  const NOW = Date.parse('2026-11-16T12:00:00Z')
  const MINUTE = 60_000
  const BASE = 'http://127.0.0.1:1'

  function aFeed(): StoryFeed {
    return new StoryFeed(nigeria, NOW, MINUTE, seededRandom(7))
  }

  test('the feed begins with five stories and gets one more in each interval; what it had stays as it was', () => {
    const feed = aFeed()
    const first = parseItems(feed.document(NOW, BASE))
    assert.equal(first.length, 5)
    assert.deepEqual(parseItems(feed.document(NOW + MINUTE - 1, BASE)), first)
    const later = parseItems(feed.document(NOW + 2 * MINUTE, BASE))
    assert.deepEqual(later.slice(2), first)
    assert.equal(new Set(later.map(({ guid }) => guid)).size, 7)
    assert.equal(parseItems(feed.document(NOW + 100 * MINUTE, BASE)).length, 30)
  })

  test('its stories say that they are synthetic, and nearly all are read as incidents with a state', () => {
    const stories = parseItems(aFeed().document(NOW + 40 * MINUTE, BASE))
    for (const { text, url, publishedAt } of stories) {
      assert.match(text, /This story is synthetic/)
      assert.ok(url!.startsWith(`${BASE}/stories/`))
      assert.ok(publishedAt! <= NOW + 40 * MINUTE)
    }
    const placed = stories.filter(({ title, text, publishedAt }) =>
      extract({ title, text, published_at: new Date(publishedAt!).toISOString() }).some(({ state }) => state !== null),
    )
    assert.ok(placed.length >= 24, `${placed.length} of ${stories.length}`)
  })
})
